import './ui/styles/fonts.css';
import './ui/styles/font-fallbacks.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/shared.css';
import './ui/styles/print.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { findRoute } from '#domain/site/routes.ts';
import { Site } from './app/app.tsx';
import { loadPage } from './app/routes.ts';
import { watchErrors } from './app/watch-errors.ts';
import { reportError } from './platform/error-log.ts';
import { afterFirstPaint } from './platform/first-paint.ts';
import { installOfflinePage } from './platform/installed-app.ts';
import { queryClient } from './platform/query-client.ts';
import { hideArrival } from './session/link-arrival.ts';

declare global {
  interface Window {
    /** A button that was clicked before the page could answer: web/begin.js. */
    pressed?: HTMLElement | null;
  }
}

watchErrors();

installOfflinePage();

// Before the router reads the URL, and whatever fails later: no sign-in secret may stay in it.
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

function isPrerendered({ dataset }: HTMLElement): boolean {
  const { pathname } = window.location;
  return dataset.page === (findRoute(pathname) === null ? '*' : pathname);
}

async function comeAlive(element: HTMLElement): Promise<void> {
  // If its code fails to load, the page requests it again, and reports it, once it is hydrated.
  const code = loadPage(window.location.pathname).catch(() => undefined);
  // Paint the pre-rendered page first: hydration takes time and shows nothing new.
  await Promise.all([code, afterFirstPaint()]);
  // React makes no such elements; a translating browser wraps each text in two.
  const translated = element.querySelector('font') && (await import('./app/translated-page.ts')).followPresses(element);
  // As a transition, hydration runs in small steps, between which the page responds.
  startTransition(() => {
    hydrateRoot(element, siteOf(true), {
      onRecoverableError(error, info) {
        if (translated) translated.pressAgain();
        else reportError(error, { where: 'hydration', component: info.componentStack ?? '' });
      },
    });
  });
  // React hydrates a clicked button immediately, whatever is left of the transition.
  const { pressed } = window;
  pressed?.click();
  if (!(pressed instanceof HTMLInputElement)) return;
  // Hydrated as it looked, a radio button that is on already reports no change.
  pressed.checked = false;
  pressed.click();
}
