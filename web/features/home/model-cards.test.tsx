import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { publicConfig } from '../../platform/config.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { ModelCards } from './model-cards.tsx';

vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

beforeEach(() => {
  vi.mocked(publicConfig).mockReset().mockResolvedValue(CONFIG);
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ModelCards />
    </QueryClientProvider>,
  );
}

const card = (name: string) => {
  const found = screen.getByRole('heading', { name }).closest('li');
  if (found === null) throw new Error(`No card ${name}.`);
  return within(found);
};

test('a model that is not trained says so beside its price, a ready one says of what kind it is', async () => {
  show();

  expect(await screen.findAllByText('not trained yet')).toHaveLength(2);
  expect(card('Panther (Kat 2.2)').getByText('not trained yet')).toBeDefined();
  expect(card('Lion (Kat 2.4)').getByText('not trained yet')).toBeDefined();
  expect(card('Bobcat (Kat 1)').getByText('neural')).toBeDefined();
});

test('a model whose files are broken is out of order', async () => {
  const lion = { state: 'disabled', kind: null, version: null } as const;
  vi.mocked(publicConfig).mockResolvedValue({ ...CONFIG, models: { ...CONFIG.models, lion } });

  show();

  expect(await card('Lion (Kat 2.4)').findByText('out of order')).toBeDefined();
});

test('while the settings are on the way, or when they fail, nothing is claimed and the line keeps its place', async () => {
  vi.mocked(publicConfig).mockRejectedValue(new Error('down'));

  show();
  await vi.waitFor(() => expect(publicConfig).toHaveBeenCalled());

  expect(screen.queryByText('not trained yet')).toBeNull();
  expect(card('Lion (Kat 2.4)').getAllByRole('paragraph')).toHaveLength(3);
});
