/** A tab that was opened before an update of the site: the code of its other pages is no longer served. */
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeBackend } from '../platform/testing/fake-backend.ts';
import { fakeLocation } from '../platform/testing/fake-location.ts';
import { visit } from './testing/visit.tsx';

vi.mock('../pages/about/about-page.tsx', () => {
  throw new Error('404');
});
vi.mock('../pages/about/legal-page.tsx', () => {
  throw new Error('404');
});

/** @param served  the entry script of the page that the server serves now */
function openTab(address: string, served: string) {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // The replaced location keeps this address.
  window.history.replaceState(null, '', address);
  const { reload } = fakeLocation();
  fakeBackend().on(`GET ${address}`, () => new Response(`<script type="module" src="${served}"></script>`));
  const script = Object.assign(document.createElement('script'), { type: 'module', src: '/assets/main-1.js' });
  document.head.append(script);
  onTestFinished(() => script.remove());
  visit(address);
  return reload;
}

test('loads a page again whose code an update has removed', async () => {
  const reload = openTab('/about', '/assets/main-2.js');

  await waitFor(() => expect(reload).toHaveBeenCalledOnce());

  expect(screen.queryByRole('heading', { name: 'We couldn’t show this page' })).toBeNull();
});

test('offers to reload a page whose code is missing although there was no update', async () => {
  const reload = openTab('/legal', '/assets/main-1.js');

  await screen.findByRole('heading', { name: 'We couldn’t show this page' });

  expect(reload).not.toHaveBeenCalled();
});
