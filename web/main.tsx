/** Starts the site. */
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App } from './app/app.tsx';
import { reportError } from './platform/error-log.ts';
import { queryClient } from './platform/query-client.ts';

window.addEventListener('error', (event) => reportError(event.error ?? event.message, { where: 'window' }));
window.addEventListener('unhandledrejection', (event) => reportError(event.reason, { where: 'promise' }));

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
