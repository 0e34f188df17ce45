import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { CONFIG, type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { ModelCards } from './model-cards.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
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
  backend.config({ models: { ...CONFIG.models, lion } });

  show();

  expect(await card('Lion (Kat 2.4)').findByText('out of order')).toBeDefined();
});

test('while the settings are on the way, or when they fail, nothing is claimed and the line keeps its place', async () => {
  backend.on('GET /config.json', () => json({}, 503));

  show();
  await waitFor(() => expect(backend.to('/config.json')).toHaveLength(1));

  expect(screen.queryByText('not trained yet')).toBeNull();
  expect(card('Lion (Kat 2.4)').getAllByRole('paragraph')).toHaveLength(3);
});
