/** What the dashboard is built around, for a plan and for what is saved. */
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { type FakeBackend, fakeBackend, json, storeSession } from '../platform/testing/fake-backend.ts';
import { visit } from './testing/visit.tsx';

const SAVED = 'GET /rest/v1/user_predictions';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  backend.on(SAVED, () => json([]));
  backend.on('GET /rest/v1/watched_pairs', () => json([]));
  storeSession();
});

const subscribed = () => backend.on('GET /rest/v1/stripe_user_subscriptions', () => json([aSubscription()]));
const region = (name: string) => screen.findByRole('region', { name });
const forecast = () => screen.queryByRole('region', { name: 'BTC, this minute’s forecast' });
const main = () => within(screen.getByRole('main'));

test('shows a free user this minute’s forecast, and leads to it by the main button', async () => {
  visit('/dashboard');

  await region('BTC, this minute’s forecast');
  expect(main().getByRole('link', { name: 'See this minute’s forecast' }).getAttribute('href')).toBe('/kat');
  expect(main().queryByRole('link', { name: 'Run a prediction' })).toBeNull();
});

test('shows a subscriber the saved predictions, and the button that runs another', async () => {
  subscribed();
  backend.on(SAVED, () => json([{ id: 'a' }]));
  visit('/dashboard');

  const saved = await region('Recent predictions');
  expect(within(saved).queryByText('No saved predictions yet')).toBeNull();
  expect(main().getByRole('link', { name: 'Run a prediction' }).getAttribute('href')).toBe('/kat');
  expect(forecast()).toBeNull();
});

test('shows a subscriber who has saved nothing this minute’s forecast', async () => {
  subscribed();
  visit('/dashboard');

  await region('BTC, this minute’s forecast');
  const saved = within(await region('Recent predictions'));
  expect(saved.getByRole('link', { name: 'Run a prediction' }).getAttribute('href')).toBe('/kat');
});

test('shows nothing saved and nothing watched as a row each, with a next step that the plan allows', async () => {
  visit('/dashboard');

  const saved = within(await region('Recent predictions'));
  saved.getByText('No saved predictions yet');
  saved.getByText('Run a prediction to save it here');
  expect(saved.getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/account/subscription');
  const watched = within(await region('Watchlist'));
  watched.getByText('Your watchlist is empty');
  expect(watched.getByRole('link', { name: 'Open the chart' }).getAttribute('href')).toBe('/kat');
});

test('takes nothing for empty that could not be loaded', async () => {
  subscribed();
  backend.on(SAVED, () => json({ message: 'away' }, 503));
  backend.on('GET /rest/v1/watched_pairs', () => json({ message: 'away' }, 503));
  visit('/dashboard');

  await region('Recent predictions');
  await region('Watchlist');
  expect(screen.queryByText('No saved predictions yet')).toBeNull();
  expect(screen.queryByText('Your watchlist is empty')).toBeNull();
  expect(forecast()).toBeNull();
});
