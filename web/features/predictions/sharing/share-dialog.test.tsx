import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { PredictionCard } from '../prediction-card.tsx';
import { aRow, someCandles } from '../testing/prediction-fixtures.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
let backend: FakeBackend;
let tokens: { token: string }[];

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  tokens = [];
  backend = fakeBackend();
  backend.on('GET /rest/v1/prediction_shares', () => json(tokens));
});
afterEach(() => vi.restoreAllMocks());

async function open(count = 200) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <PredictionCard
        row={aRow(0, { data: someCandles(count) })}
        outcome={null}
        hasOutcomeFailed={false}
        onPopOut={vi.fn()}
      />
    </QueryClientProvider>,
  );
  const button = screen.queryByRole('button', { name: 'Share' });
  if (button !== null) await userEvent.click(button);
}

/** The dialog first reads whether the prediction is shared already. */
async function create() {
  const button = await screen.findByRole('button', { name: 'Create link' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await userEvent.click(button);
}

test('creates a link, shows it with its pictures, and stops sharing it', async () => {
  backend.fn('share-prediction', () => json({ ok: true, path: `/f/${TOKEN}` }));
  backend.fn('unshare-prediction', () => json({ ok: true }));
  await open();

  await create();

  const link = await screen.findByRole('link', { name: new RegExp(TOKEN) });
  expect(link.getAttribute('href')).toBe(`/f/${TOKEN}`);
  expect(screen.getByRole('link', { name: 'Picture' }).getAttribute('href')).toBe(`/f/${TOKEN}.png`);
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'Stop sharing' }));
  expect(await screen.findByText('Not shared. Sharing it again makes a new link.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: new RegExp(TOKEN) })).toBeNull();
});

test('shows the link of a prediction that is shared already', async () => {
  tokens = [{ token: TOKEN }];
  await open();

  expect(await screen.findByRole('link', { name: new RegExp(TOKEN) })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Stop sharing' })).toBeTruthy();
});

test('says why sharing failed, and can try again', async () => {
  const message = 'This prediction no longer exists, isn’t yours, or isn’t shared.';
  backend.fn('share-prediction', () => json({ ok: false, reason: 'share/no-such-prediction', message }));
  await open();

  await create();

  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Create link' })).toHaveProperty('disabled', false);
});

test('offers no sharing of a prediction that is not whole', async () => {
  await open(120);

  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});
