/** A stored session that can't be renewed, because the server is unreachable. */
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { resetPageState } from '../page-state.ts';
import { CONFIG, fakeBackend, json, storeOldSession } from '../platform/testing/fake-backend.ts';
import { SignedInOnly } from './guards.tsx';

test('shows no sign-in form to a user whose account can’t be reached, and opens the page on Retry', async () => {
  // The random part of a delay moves the automatic attempts beyond this test.
  vi.spyOn(Math, 'random').mockReturnValue(20_000);
  const backend = fakeBackend();
  let isUp = false;
  backend.on('GET /config.json', () => (isUp ? json(CONFIG) : json({}, 500)));
  storeOldSession();
  render(
    <MemoryRouter>
      <SignedInOnly>the dashboard</SignedInOnly>
    </MemoryRouter>,
  );
  expect(await screen.findByRole('heading', { name: 'We couldn’t reach your account' })).toBeDefined();

  isUp = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('the dashboard')).toBeDefined();
});

test('does not load the account again once the page has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  fakeBackend().on('GET /config.json', () => json({}, 500));
  storeOldSession();
  render(
    <MemoryRouter>
      <SignedInOnly>the dashboard</SignedInOnly>
    </MemoryRouter>,
  );
  await screen.findByRole('heading', { name: 'We couldn’t reach your account' });
  cleanup();
  const before = vi.getTimerCount();

  resetPageState();

  expect(before).toBeGreaterThan(0);
  expect(vi.getTimerCount()).toBe(0);
});
