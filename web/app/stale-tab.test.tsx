/** A tab that was opened before an update of the site: the code of its other pages is no longer served. */
import { render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeBackend } from '../platform/testing/fake-backend.ts';
import { fakeLocation } from '../platform/testing/fake-location.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { pageOf } from './routes.ts';

/** Draws a page whose code is not served. @param served  the entry script of the document that the server serves now */
function openTab(served: string) {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { reload } = fakeLocation();
  fakeBackend().on(
    `GET ${window.location.pathname}`,
    () => new Response(`<script type="module" src="${served}"></script>`),
  );
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
