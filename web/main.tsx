/** Starts the site. */
import './ui/styles/fonts.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/print.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { findRoute } from '#domain/site/routes.ts';
import { loadPage } from './app/routes.ts';
import { Site } from './app/site.tsx';
import { watchErrors } from './app/watch-errors.ts';
import { reportError } from './platform/error-log.ts';
import { afterFirstPaint } from './platform/first-paint.ts';
import { keepOfflinePage } from './platform/installed-app.ts';
import { queryClient } from './platform/query-client.ts';
import { hideArrival } from './session/link-answer.ts';

watchErrors();

keepOfflinePage();

// Before the router looks, and whatever fails later: nothing that signs anyone in stays in the address.
hideArrival();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

if (isPrerendered(root)) void comeAlive(root);
else createRoot(root).render(siteOf(false));

function siteOf(isDrawn: boolean): ReactNode {
  return (
    <Site queryClient={queryClient} isPrerendered={isDrawn} inRouter={(app) => <BrowserRouter>{app}</BrowserRouter>} />
  );
}

/** True where the document was drawn for this very address. */
function isPrerendered({ dataset }: HTMLElement): boolean {
  const { pathname } = window.location;
  return dataset.page === (findRoute(pathname) === null ? '*' : pathname);
}

async function comeAlive(element: HTMLElement): Promise<void> {
  // Without its code the page says so itself, once it is alive.
  const code = loadPage(window.location.pathname).catch((error: unknown) => reportError(error, { where: 'page code' }));
  // What was drawn is seen first: coming alive takes time, and shows nothing new.
  await Promise.all([code, afterFirstPaint()]);
  // As a transition it comes alive in small steps, between which the page answers.
  startTransition(() => {
    hydrateRoot(element, siteOf(true), {
      onRecoverableError: (error, info) =>
        reportError(error, { where: 'hydration', component: info.componentStack ?? '' }),
    });
  });
}
