import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { BrowserRouter } from 'react-router';
import { queryClient } from '../../platform/query-client.ts';
import { App } from '../app.tsx';

/** Draws the site at an address. */
export function visit(address: string): void {
  window.history.replaceState(null, '', address);
  render(
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}
