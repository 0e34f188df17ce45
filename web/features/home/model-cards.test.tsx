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

test('says beside its price that a model is not trained, and of what kind a ready one is', async () => {
  show();

  expect(await screen.findAllByText('not trained yet')).toHaveLength(2);
  expect(card('Panther (Kat 2.2)').getByText('not trained yet')).toBeDefined();
  expect(card('Lion (Kat 2.4)').getByText('not trained yet')).toBeDefined();
  expect(card('Bobcat (Kat 1)').getByText('neural')).toBeDefined();
});

test('marks a model with broken files as unavailable', async () => {
  const lion = { state: 'disabled', kind: null, version: null } as const;
  backend.config({ models: { ...CONFIG.models, lion } });

  show();

  expect(await card('Lion (Kat 2.4)').findByText('unavailable')).toBeDefined();
});

test('claims nothing while the settings load or when they fail, and reserves the line’s place', async () => {
  backend.on('GET /config.json', () => json({}, 503));

  show();
  await waitFor(() => expect(backend.to('/config.json')).toHaveLength(1));

  expect(screen.queryByText('not trained yet')).toBeNull();
  expect(card('Lion (Kat 2.4)').getAllByRole('paragraph')).toHaveLength(3);
});
