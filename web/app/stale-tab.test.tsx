/** A tab that was opened before an update of the site: the code of its other pages is no longer served. */
import { render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeBackend } from '../platform/testing/fake-backend.ts';
import { fakeLocation } from '../platform/testing/fake-location.ts';
import { Away } from '../ui/status/away.tsx';
import { missingCode } from '../ui/widget.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { pageOf } from './routes.ts';

/** Draws a page whose code is not served. @param served  the entry script of the document that the server serves now; null without a network */
function openTab(served: string | null) {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { reload } = fakeLocation();
  serveEntry(served);
  const script = Object.assign(document.createElement('script'), { type: 'module', src: '/assets/main-1.js' });
  document.head.append(script);
  onTestFinished(() => script.remove());
  const { Page } = pageOf(() => Promise.reject(new Error('404')));
  render(
    <MemoryRouter>
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
      </ErrorBoundary>
    </MemoryRouter>,
  );
  return reload;
}

function serveEntry(src: string | null): void {
  fakeBackend().on(`GET ${window.location.pathname}`, () =>
    src === null
      ? Promise.reject(new TypeError('Failed to fetch'))
      : new Response(`<script type="module" src="${src}"></script>`),
  );
}

test('loads a page again whose code an update has removed', async () => {
  const reload = openTab('/assets/main-2.js');

  await waitFor(() => expect(reload).toHaveBeenCalledOnce());

  expect(screen.queryByRole('heading', { name: 'We couldn’t show this page' })).toBeNull();
});

test('offers to reload a page whose code is missing although there was no update', async () => {
  const reload = openTab('/assets/main-1.js');

  await screen.findByRole('heading', { name: 'We couldn’t show this page' });

  expect(reload).not.toHaveBeenCalled();
});

test('says that a page comes when the network does, and loads it then', async () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  missingCode.View = Away;
  const reload = openTab(null);

  await screen.findByRole('heading', { name: 'You’re offline' });
  expect(screen.getByText('This page comes when you’re back.')).toBeDefined();
  expect(reload).not.toHaveBeenCalled();

  line.mockReturnValue(true);
  serveEntry('/assets/main-1.js');
  window.dispatchEvent(new Event('online'));

  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
