import { expect, test, vi } from 'vitest';
import { type FakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { aMachine, candles, REQUEST, start } from '../testing/machine-fixtures.ts';
import { rememberRun, type WatchedRun } from './watched-run.ts';

test('reports no failure to save; takes a server’s refusal as final, but not a lost answer', async () => {
  const { machine, backend, notified, onEnded, recalled, reported } = await aMachine([
    [start(), ...candles()],
    [start(), ...candles()],
  ]);
  backend.fn('create-prediction', () => json({ ok: false, reason: 'No.' }));
  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: false });
  expect(notified()).toEqual([]);
  expect(await reported()).toEqual(['create-prediction']);
  expect(onEnded).toHaveBeenCalledOnce();
  expect(recalled()).toBeNull();

  backend.fn('create-prediction', () => Promise.reject(new TypeError('Failed to fetch')));
  await machine.predict(REQUEST);
  expect(recalled()).toMatchObject({ reservationId: 'r1', userId: 'u1' });
});

const WATCHED: WatchedRun = {
  reservationId: 'r1',
  userId: 'u1',
  symbolLabel: 'BTC',
  timeframe: '1min',
  model: 'bobcat',
};

const stored = (state: 'reserved' | 'spent') => ({
  start: aStart(),
  history: candlesUntil(T0, 150),
  forecast: forecastPath(),
  state,
});

/** The tab was reloaded while it watched this forecast. */
function storeWatched(backend: FakeBackend, state: 'reserved' | 'spent'): void {
  rememberRun(WATCHED);
  backend.on('GET /forecast/reservations/r1', () => json(stored(state)));
}

test('finishes the picture after a reload and saves what was not saved yet', async () => {
  const { machine, backend, feed, saved, recalled } = await aMachine([]);
  storeWatched(backend, 'reserved');

  await machine.restore(WATCHED, REQUEST);

  expect(feed.series()).toMatchObject({ joinS: T0 });
  expect(feed.series().candles).toHaveLength(200);
  expect(saved()).toEqual([[...candlesUntil(T0, 150), ...forecastPath()]]);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
  expect(recalled()).toBeNull();
});

test('resumes after a reload a run whose page was left, but none dropped for another symbol or model', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, feed, recalled } = await aMachine([
    [start(), ...candles(0, 10), gate.promise],
    [start(), ...candles(0, 10)],
  ]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));
  machine.close('selection-changed');
  expect(recalled()).toBeNull();

  await machine.predict(REQUEST);
  machine.close('left');

  expect(recalled()).toMatchObject({ reservationId: 'r1' });
});

test('does not forget the next run when a save ends late', async () => {
  const saving = Promise.withResolvers<Response>();
  const next = Promise.withResolvers<void>();
  const { machine, backend, feed, recalled } = await aMachine([
    [start(), ...candles()],
    [start({ reservationId: 'r2' }), ...candles(0, 10), next.promise],
  ]);
  backend.fn('create-prediction', () => saving.promise);
  const first = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('saving'));
  machine.close('selection-changed');
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  saving.resolve(json({ ok: true }));
  await first;

  expect(recalled()).toMatchObject({ reservationId: 'r2' });
});

test('does not save twice after a reload', async () => {
  const { machine, backend, saved, recalled } = await aMachine([]);
  storeWatched(backend, 'spent');

  await machine.restore(WATCHED, REQUEST);

  expect(saved()).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
  expect(recalled()).toBeNull();
});

test('forgets a deleted forecast after a reload, and shows its market', async () => {
  const { machine, feed, recalled } = await aMachine([]);
  rememberRun(WATCHED);

  await machine.restore(WATCHED, REQUEST);

  expect(recalled()).toBeNull();
  expect(feed.series().candles).toHaveLength(150);
});
