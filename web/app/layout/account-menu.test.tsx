import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { fakeBackend, json, storeSession, USER } from '../../platform/testing/fake-backend.ts';
import { AccountMenu } from './account-menu.tsx';

const PERSON = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: USER.user_metadata.full_name,
  createdAt: USER.created_at,
};

function mount() {
  storeSession();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AccountMenu user={PERSON} isListOpen={false} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const opener = () => screen.findByRole('button', { name: 'Account menu' });

test('shows the name, the email, the plan, the predictions left and the pages of the account', async () => {
  const backend = fakeBackend();
  backend.plan('bobcat');
  backend.quota(4, 40);
  mount();
  expect(backend.to('/functions/v1/get-quota')).toEqual([]);

  await userEvent.click(await opener());

  expect(await screen.findByText('Bobcat plan')).toBeTruthy();
  expect((await screen.findByText(/left today$/)).textContent).toBe('4 of 10 left today');
  expect(screen.getByText('Ada Lovelace')).toBeTruthy();
  expect(screen.getByText('ada@example.com')).toBeTruthy();
  const links = within(screen.getByRole('list')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/account',
    '/account/predictions',
    '/account/subscription',
    '/account/notifications',
    '/account/security',
  ]);
});

test('shows no more predictions for today than the month has left', async () => {
  const backend = fakeBackend();
  backend.plan('lion');
  backend.quota(15, 2);
  mount();

  await userEvent.click(await opener());

  expect((await screen.findByText(/left today$/)).textContent).toBe('2 of 15 left today');
});

test('shows that the predictions left are unknown when they fail to load, and loads them again', async () => {
  const backend = fakeBackend();
  backend.plan('bobcat');
  backend.fn('get-quota', () => json({ message: 'x' }, 500));
  mount();
  await userEvent.click(await opener());

  expect((await screen.findByText(/predictions left/)).textContent).toContain('– predictions left');
  backend.quota(3, 30);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect((await screen.findByText(/left today$/)).textContent).toBe('3 of 10 left today');
});

test('shows an admin the admin page and no quota', async () => {
  const backend = fakeBackend();
  backend.profile({ role: 'admin' });
  mount();

  await userEvent.click(await opener());

  expect((await screen.findByRole('link', { name: 'Admin' })).getAttribute('href')).toBe('/admin');
  expect(await screen.findByText('No limits on predictions')).toBeTruthy();
  expect(backend.to('/functions/v1/get-quota')).toEqual([]);
});

test('closes on Escape and returns the focus to its button', async () => {
  fakeBackend();
  mount();
  await userEvent.click(await opener());
  await screen.findByRole('switch', { name: 'Dark theme' });

  await userEvent.tab();
  await userEvent.keyboard('{Escape}');

  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull();
  const button = await opener();
  expect(document.activeElement).toBe(button);
  expect((await opener()).getAttribute('aria-expanded')).toBe('false');
});
