import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { supabase } from '../../platform/supabase.ts';
import { CONFIG, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { OAuthButtons } from './auth-form.tsx';

function mount(address = '/auth/signin') {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <OAuthButtons />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const button = (name: string) => screen.getByRole('button', { name });

test('marks a simulated provider as one, and the provider itself with nothing', async () => {
  fakeBackend();

  mount();

  await waitFor(() => expect(button('Google').title).toBe('Test sign-in, not Google'));
  expect(button('GitHub').title).toBe('');
  expect(button('GitHub')).toHaveProperty('disabled', false);
});

test('shows providers that are not set up, as not available yet', async () => {
  const backend = fakeBackend();
  backend.on('GET /config.json', () => json({ ...CONFIG, providers: { google: 'off', github: 'off' } }));

  mount();

  await screen.findByText('Signing in with Google or GitHub is not available yet.');
  for (const name of ['Google', 'GitHub']) {
    expect(button(name)).toHaveProperty('disabled', true);
    expect(button(name).title).toBe('Not available yet');
  }
});

test('requests the provider with the redirect to the page before', async () => {
  fakeBackend();
  const signInWithOAuth = vi
    .spyOn((await supabase()).auth, 'signInWithOAuth')
    .mockResolvedValue({ data: { provider: 'google', url: 'http://x.test', flowId: null }, error: null });
  mount('/auth/signin?next=%2Fkat%3Fsym%3DBTC');

  await userEvent.click(button('Google'));

  await waitFor(() => expect(signInWithOAuth).toHaveBeenCalledTimes(1));
  const callback = `${window.location.origin}/auth/callback?next=${encodeURIComponent('/kat?sym=BTC')}`;
  expect(signInWithOAuth).toHaveBeenCalledWith({ provider: 'google', options: { redirectTo: callback } });
  expect(button('Google').getAttribute('aria-busy')).toBe('true');
});

test.each(['Google', 'GitHub'])('reports when %s cannot be reached, and allows another try', async (name) => {
  const backend = fakeBackend();
  vi.spyOn((await supabase()).auth, 'signInWithOAuth').mockRejectedValue(new Error('offline'));
  mount();

  await userEvent.click(button(name));

  expect((await screen.findByRole('alert')).textContent).toBe(`Failed to sign in with ${name}. Please try again.`);
  expect(button(name)).toHaveProperty('disabled', false);
  await waitFor(() =>
    expect(backend.errors().map(({ error_message }) => error_message)).toEqual([
      'Error: offline',
      `Failed to sign in with ${name}. Please try again.`,
    ]),
  );
});
