/** Forecasts that come back onto the chart: after a reload, on the way back to a symbol, from a saved prediction. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toColumns } from '#domain/market/candle.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { aForecast } from '../../site/testing/latest-forecast-fixtures.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { anUnsaved, aRow, candlesUntil, forecastPath, T0 } from './testing/forecast-fixtures.ts';
import {
  address,
  button,
  count,
  eventStream,
  history,
  onSaved,
  type PanelServer,
  panelServer,
  pick,
  predict,
  show,
  startEvent,
  storedForecast,
} from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const ID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const MINUTES = 60;

/** The user's saved predictions, as the database filters them. */
function store(...rows: ReturnType<typeof aRow>[]): void {
  server.on('GET /rest/v1/user_predictions', ({ search }) => {
    const query = new URLSearchParams(search);
    const isWanted = (name: 'id' | 'cryptocurrency', value: string) =>
      query.get(name) === null || query.get(name) === `eq.${value}`;
    return json(rows.filter((row) => isWanted('id', row.id) && isWanted('cryptocurrency', row.cryptocurrency)));
  });
}

const loaded = async () => {
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(150));
};

test('brings a forecast back whose minutes still run, with what the market did since', async () => {
  store(aRow({ joinS: T0 - 3 * MINUTES }));

  await show(server, 'lion');

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.getByText('saved')).toBeDefined();
  expect(screen.getByText(/3 of 50 min, 3 in the 80% band/)).toBeDefined();
  expect(server.callsTo('/stream-kat2')).toEqual([]);
  expect(server.to('/functions/v1/create-prediction')).toEqual([]);
});

test('draws the market’s candles over a running forecast as its minutes pass', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: (T0 + 70) * 1000 });
  store(aRow({ joinS: T0 - 3 * MINUTES }));
  await show(server, 'lion');
  await screen.findByText(/3 of 50 min, 3 in the 80% band/);

  server.on('GET /history', () => json(toColumns(candlesUntil(T0 + MINUTES, 450))));
  await act(() => vi.advanceTimersByTimeAsync(70_000));

  expect(await screen.findByText(/4 of 50 min, 4 in the 80% band/)).toBeDefined();
});

test.each([
  ['whose minutes are over', aRow({ joinS: T0 - 50 * MINUTES })],
  ['of another market', aRow({ closes: 55 })],
  ['of another symbol', aRow({ cryptocurrency: 'ETH' })],
])('leaves a forecast %s off the chart', async (_which, row) => {
  store(row);

  await show(server, 'lion');

  await loaded();
  await vi.waitFor(() => expect(server.callsTo('/rest/v1/user_predictions')).toHaveLength(1));
  expect(count()).toBe(150);
  expect(screen.queryByText('saved')).toBeNull();
});

/** The stored prediction arrives only when the test lets it. */
function holdStored(row: ReturnType<typeof aRow>): () => Promise<void> {
  const held = Promise.withResolvers<Response>();
  server.on('GET /rest/v1/user_predictions', () => held.promise);
  return () =>
    act(async () => {
      held.resolve(json([row]));
      await everythingElse();
    });
}

/** What an answer leads to has happened by then: it takes no other answer and no timer. */
const everythingElse = () => new Promise<void>((resolve) => void setTimeout(resolve, 30));

test('brings a forecast back too if it arrives before its market does', async () => {
  store(aRow({ joinS: T0 - 3 * MINUTES }));
  const market = Promise.withResolvers<Response>();
  server.on('GET /history', () => market.promise);
  await show(server, 'lion');
  await vi.waitFor(() => expect(server.callsTo('/rest/v1/user_predictions')).toHaveLength(1));
  await act(everythingElse);
  expect(count()).toBe(0);

  market.resolve(history());

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.getByText('saved')).toBeDefined();
});

test('keeps the market that Refresh loads if a forecast arrives only afterwards', async () => {
  server.on('GET /history', () => json({ error: 'Away.', code: 'venue/unavailable' }, 503));
  const release = holdStored(aRow({ joinS: T0 - 3 * MINUTES }));
  await show(server, 'lion');
  await vi.waitFor(() => expect(screen.getAllByText(/Failed to load/)).not.toHaveLength(0));
  server.on('GET /history', () => history());
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await loaded();

  await release();

  expect(count()).toBe(150);
  expect(screen.queryByText('saved')).toBeNull();
});

test('lets a forecast run on that was started while an earlier one still loaded', async () => {
  const begun = new TextEncoder().encode(startEvent());
  server.on('GET /stream-kat2', () =>
    eventStream(new ReadableStream({ start: (controller) => controller.enqueue(begun) })),
  );
  const release = holdStored(aRow({ joinS: T0 - 3 * MINUTES }));
  await show(server, 'lion');
  await loaded();
  await predict();
  await screen.findByText(/one plausible path; 80% band/);

  await release();

  expect(server.to('/stream-kat2')[0]?.signal?.aborted).toBe(false);
  expect(screen.queryByText(/3 of 50 min/)).toBeNull();
});

test('does not draw a forecast that was finished for a symbol which the user has left again', async () => {
  store();
  await show(server, 'lion', '/kat?sym=ETH');
  await loaded();
  await pick('Symbol', 'SOL');
  server.on('GET /forecast/reservations', () => json({ reservations: [anUnsaved({ ageMs: 4000 })] }));
  server.on('GET /forecast/reservations/r1', () => storedForecast());
  const saved = Promise.withResolvers<Response>();
  server.fn('create-prediction', () => saved.promise);
  await pick('Symbol', 'ETH');
  await vi.waitFor(() => expect(server.to('/functions/v1/create-prediction')).toHaveLength(1));
  await pick('Symbol', 'SOL');
  await vi.waitFor(() => expect(count()).toBe(150));

  await act(async () => {
    saved.resolve(json({ ok: true, row: aRow({ cryptocurrency: 'ETH' }) }));
    await vi.waitFor(() => expect(onSaved).toHaveBeenCalled());
    await everythingElse();
  });

  expect(onSaved).toHaveBeenCalledOnce();
  expect(count()).toBe(150);
  expect(screen.queryByText('saved')).toBeNull();
});

test('plays no shared forecast over a forecast of the user’s own, whose plan has ended since', async () => {
  store(aRow({ joinS: T0 - 3 * MINUTES }));
  const shared = Promise.withResolvers<Response>();
  server.on('GET /forecast/latest', () => shared.promise);
  await show(server, 'free');
  await screen.findByText('saved');

  await act(async () => {
    shared.resolve(json(aForecast()));
    await everythingElse();
  });

  expect(screen.getByText('saved')).toBeDefined();
  expect(screen.queryByText('shared forecast')).toBeNull();
});

test('brings it back when the user returns to its symbol, and drops it on Refresh', async () => {
  store(aRow({ joinS: T0 - MINUTES }));
  await show(server, 'lion');
  await vi.waitFor(() => expect(count()).toBe(200));

  await pick('Symbol', 'SOL');
  await vi.waitFor(() => expect(count()).toBe(150));
  await pick('Symbol', 'BTC');
  await vi.waitFor(() => expect(count()).toBe(200));

  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await vi.waitFor(() => expect(count()).toBe(150));
});

test('finishes and saves a stream that was left for another symbol, once the user returns to it', async () => {
  store();
  await show(server, 'lion', '/kat?sym=ETH');
  await loaded();
  await pick('Symbol', 'SOL');
  server.on('GET /forecast/reservations', () => json({ reservations: [anUnsaved({ ageMs: 4000 })] }));
  server.on('GET /forecast/reservations/r1', () => storedForecast());
  expect(server.to('/functions/v1/create-prediction')).toEqual([]);

  await pick('Symbol', 'ETH');

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(server.to('/functions/v1/create-prediction')).toHaveLength(1);
  expect(onSaved).toHaveBeenCalledOnce();
  expect(screen.getByText('saved')).toBeDefined();
});

test('opens a saved prediction with its outcome in the chart, and goes back to live', async () => {
  const joinS = T0 - 3000 * MINUTES;
  store(aRow({ id: ID, cryptocurrency: 'ETH', joinS }));
  server.on('GET /rest/v1/prediction_outcomes', () =>
    json([{ market_kind: 'replayed', candles: forecastPath(joinS) }]),
  );

  await show(server, 'lion', `/kat?sym=SOL&saved=${ID}`);

  expect(await screen.findByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(address()).toBe(`/kat?sym=ETH&saved=${ID}`);
  expect(screen.getByText(/50 of 50 min, 50 in the 80% band/)).toBeDefined();
  expect(screen.getByText('replayed')).toBeDefined();
  // The newest prediction, which would be drawn first, is not requested.
  const requested = server.callsTo('/rest/v1/user_predictions');
  expect(requested).toEqual([expect.stringContaining(`id=eq.${ID}`)]);

  await userEvent.click(screen.getByRole('button', { name: 'Back to live' }));

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(address()).toBe('/kat?sym=ETH');
  expect(screen.queryByRole('button', { name: 'Back to live' })).toBeNull();
});

test('starts a new forecast from an opened one', async () => {
  store(aRow({ id: ID, joinS: T0 - 3000 * MINUTES }));
  await show(server, 'lion', `/kat?saved=${ID}`);
  await screen.findByRole('button', { name: 'Back to live' });
  await loaded();

  await userEvent.click(button());

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(count()).toBe(200);
  expect(address()).toBe('/kat?sym=BTC');
  expect(screen.queryByRole('button', { name: 'Back to live' })).toBeNull();
});

test.each([
  ['is not among the user’s', () => json([]), 'We couldn’t find this prediction among yours.'],
  ['can’t be loaded', () => json({ message: 'Away' }, 503), 'We couldn’t open this prediction. Please try again.'],
])('shows the market when the prediction of the address %s', async (_why, answer, message) => {
  const shown = vi.spyOn(toast, 'error');
  server.on('GET /rest/v1/user_predictions', answer);

  await show(server, 'lion', `/kat?saved=${ID}`);

  await vi.waitFor(() => expect(shown).toHaveBeenCalledWith(message));
  await loaded();
  await vi.waitFor(() => expect(address()).toBe('/kat?sym=BTC'));
  expect(count()).toBe(150);
});
