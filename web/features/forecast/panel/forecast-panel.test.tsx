import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { CONFIG, json } from '../../../platform/testing/fake-backend.ts';
import { aForecast } from '../../../site/testing/latest-forecast-fixtures.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import {
  button,
  count,
  onSaved,
  type PanelServer,
  panelServer,
  pick,
  predict,
  show,
} from '../testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const READY = { state: 'ready', kind: 'neural', version: '1' } as const;

/** The minute has candles, but its forecast failed. */
const WITHOUT_PATH = aForecast(0, { path: [], band: { lower80: [], upper80: [], lower95: [], upper95: [] } });

const reduceMotion = () =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), {
        matches: media === '(prefers-reduced-motion: reduce)',
        media,
      }) as MediaQueryList,
  );

test('plays this minute’s shared forecast to a visitor: 150 candles, then one per 100 ms', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await show(server, 'visitor');
  expect(await screen.findByText('shared forecast')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'BTC Demo' })).toBeDefined();
  expect(screen.queryByText('sample data')).toBeNull();
  expect(count()).toBeLessThan(160);

  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(count()).toBe(200);
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(button().textContent).toBe('Prediction');
  button().click();
  const paths = server.requests.map(({ path }) => path);
  expect(paths).toContain('/forecast/latest');
  expect(paths.filter((path) => !['/forecast/latest', '/forecast/usual', '/models.json'].includes(path))).toEqual([]);
  expect(server.opened()).toEqual([]);
});

test('plays samples of another symbol to a visitor, which meet the market at its own price', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await show(server, 'visitor', '/kat?sym=ETH');
  expect(await screen.findByText('sample data')).toBeDefined();
  await vi.waitFor(() => expect(count()).toBeGreaterThan(0));

  await act(() => vi.advanceTimersByTimeAsync(10_000));

  expect(count()).toBe(200);
  const [open] = server.callsTo('/history');
  expect(open).toContain('sym=ETHUSDT.P');
  // The market's last close is 101, not the 3,500 that samples have without a market.
  expect(screen.getByText('Last close').parentElement?.textContent).toMatch(/10[01]\.\d\d/);
});

test('plays samples to a visitor while neither forecast nor market is available', async () => {
  server.on('GET /forecast/latest', () => json({ error: 'Away.', code: 'venue/unavailable' }, 503));
  server.on('GET /history', () => json({ error: 'Away.', code: 'venue/unavailable' }, 503));

  await show(server, 'visitor');

  expect(await screen.findByText('sample data')).toBeDefined();
  await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(150));
});

test('plays samples to a visitor while the minute has candles, but no forecast', async () => {
  reduceMotion();
  server.on('GET /forecast/latest', () => json(WITHOUT_PATH));

  await show(server, 'visitor');

  expect(await screen.findByText('sample data')).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.queryByText('shared forecast')).toBeNull();
});

test('plays the shared forecast to a free user, who gets no stream', async () => {
  reduceMotion();
  await show(server, 'free');

  expect(await screen.findByText('shared forecast')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(server.callsTo('/stream-kat2')).toEqual([]);

  await pick('Symbol', 'ETH');
  await vi.waitFor(() => expect(count()).toBe(150));
  expect(screen.queryByText('shared forecast')).toBeNull();
});

test('plays no forecast of Bitcoin on another symbol’s chart', async () => {
  await show(server, 'free', '/kat?sym=ETH');
  await screen.findByRole('button', { name: 'Unlock Models' });

  await vi.waitFor(() => expect(count()).toBe(150));

  expect(server.callsTo('/forecast/latest')).toEqual([]);
});

test.each([
  ['no shared forecast', () => json({ error: 'Failed.', code: 'forecast/failed' }, 503)],
  ['one without candles', () => json(WITHOUT_PATH)],
])('leaves the market on a free user’s chart while there is %s', async (_what, answer) => {
  server.on('GET /forecast/latest', answer);

  await show(server, 'free');

  await vi.waitFor(() => expect(server.callsTo('/forecast/latest')).not.toEqual([]));
  await vi.waitFor(() => expect(count()).toBe(150));
  // What would be played is on the chart by then.
  await act(() => new Promise((resolve) => void setTimeout(resolve, 50)));
  expect(screen.queryByText('shared forecast')).toBeNull();
});

test('plays no shared forecast to a user with a plan', async () => {
  await show(server, 'bobcat');
  await screen.findByText('15 left today / 300 this month');

  await vi.waitFor(() => expect(count()).toBe(150));

  expect(server.callsTo('/forecast/latest')).toEqual([]);
});

test.each(['visitor', 'lion'] as const)('says to a %s that it is for research and education only', async (who) => {
  await show(server, who);

  expect(await screen.findByText(/^For research and education only\. Not financial advice\./)).toBeDefined();
});

test('shows the still sample with reduced motion: all 200 immediately', async () => {
  reduceMotion();

  await show(server, 'visitor');

  await vi.waitFor(() => expect(count()).toBeGreaterThan(0));
  expect(count()).toBe(200);
});

test('draws 50 candles and saves 200 after a lion user clicks Prediction, and the page follows', async () => {
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));

  await predict();

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(count()).toBe(200);
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
  expect(screen.getByText('1min')).toBeDefined();
  const saves = server.to('/functions/v1/create-prediction').map(({ body }) => body);
  expect(saves).toHaveLength(1);
  expect(saves[0]).toMatchObject({ model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min' });
  expect(saves[0]).toHaveProperty('data.length', 200);
  await vi.waitFor(() => expect(server.to('/functions/v1/get-quota').length).toBeGreaterThan(1));
  const table = screen.getByRole('table');
  expect(within(table).getByRole('row', { name: /^\+50/ }).textContent).toBe('+5099.0103.098.0104.0');
  expect(screen.getByText('simulated')).toBeDefined();
});

test('leads a free user to the plans by the button, by Unlock Models and by a locked model', async () => {
  await show(server, 'free');

  await userEvent.click(await screen.findByRole('button', { name: 'Unlock Models' }));
  await userEvent.click(button());
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));
  const locked = screen.getByRole('option', { name: 'Lion (Kat 2.4)' });
  expect(locked.title).toBe('Upgrade to unlock');
  await userEvent.click(locked);

  expect(server.opened()).toEqual(Array(3).fill('/account/subscription'));
  expect(server.callsTo('/stream-kat2')).toEqual([]);
});

test('keeps Bobcat for a bobcat user who clicks a locked model', async () => {
  await show(server, 'bobcat');

  await pick('Model', 'Panther (Kat 2.2)');

  expect(server.opened()).toEqual(['/account/subscription']);
  expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe('Bobcat (Kat 1)');
  expect(screen.queryByRole('button', { name: 'Unlock Models' })).toBeNull();
});

test('shows an admin no quota, lets an admin amplify, and saves nothing', async () => {
  await show(server, 'admin');
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.clear(await screen.findByLabelText('Amplify'));
  await userEvent.type(screen.getByLabelText('Amplify'), '250');

  await predict();

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(server.callsTo('/stream-kat2').at(-1)).toContain('amp=250');
  expect(server.callsTo('/forecast/reservations')).toEqual([]);
  expect(server.callsTo('/functions/')).toEqual([]);
});

test('says so for a model without weights, and charges nothing', async () => {
  const shown = vi.spyOn(toast, 'error');
  server.on('GET /stream-kat2', () =>
    json({ error: 'This model is not trained yet.', code: 'forecast/not-trained' }, 503),
  );
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await pick('Model', 'Lion (Kat 2.4)');

  await predict();

  expect(await screen.findByText('This model is not trained yet.')).toBeDefined();
  expect(shown).toHaveBeenCalledExactlyOnceWith('This model is not trained yet.');
  expect(server.callsTo('/stream-kat2').at(-1)).toContain('ver=214');
  expect(count()).toBe(150);
});

test.each<[string, ModelStatus, string, RegExp]>([
  ['trained', READY, 'Lion (Kat 2.4)', /^Neural: a network/],
  ['not trained', { state: 'not-trained', kind: null, version: null }, 'Bobcat (Kat 1)', /^Neural: a network/],
  ['unavailable', { state: 'disabled', kind: null, version: null }, 'Bobcat (Kat 1)', /^Neural: a network/],
])('starts a lion user with the best model that works: Lion is %s', async (_what, lion, label, text) => {
  server.config({ models: { ...CONFIG.models, lion } });

  await show(server, 'lion');

  expect(await screen.findByText(text)).toBeDefined();
  await vi.waitFor(() => expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe(label));
});

test.each<[string, ModelStatus['state'], RegExp]>([
  ['not trained', 'not-trained', /^Not trained yet, so it can’t forecast/],
  ['unavailable', 'disabled', /^Unavailable right now, so it can’t forecast/],
])('says so for a picked model that is %s before it is queried', async (_what, state, text) => {
  server.config({ models: { ...CONFIG.models, lion: { state, kind: null, version: null } } });
  await show(server, 'lion');
  await screen.findByText(/^Neural/);

  await pick('Model', 'Lion (Kat 2.4)');

  expect(await screen.findByText(text)).toBeDefined();
});
