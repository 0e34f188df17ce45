import { expect, test, vi } from 'vitest';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import type { FakeBackend } from '../../../platform/testing/fake-backend.ts';
import { aMarket, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { AWAY, aHistory, aMachine, candles, LOST, REQUEST, start } from '../testing/machine-fixtures.ts';
import type { ForecastMachine } from './forecast-machine.ts';
import { wholeOfStored } from './saved-forecast.ts';

/** The last answer is repeated. */
function answerHistory(backend: FakeBackend, ...answers: (() => Response)[]): void {
  backend.on('GET /history', () => ((answers.length > 1 ? answers.shift() : answers[0]) ?? AWAY)());
}

test('loads 150 candles, collects 50, saves exactly 200 and reports the end', async () => {
  const { machine, onEnded, saved, feed, recalled } = await aMachine();
  const phases: string[] = [];
  machine.subscribe(() => phases.push(machine.state().phase));

  await machine.predict(REQUEST);

  expect([...new Set(phases)]).toEqual(['loading-history', 'streaming', 'saving', 'done']);
  const whole = [...candlesUntil(T0, 150), ...forecastPath()];
  expect(saved()).toEqual([whole]);
  expect(feed.series()).toMatchObject({ joinS: T0, candles: whole });
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: true });
  expect(onEnded).toHaveBeenCalledOnce();
  expect(recalled()).toBeNull();
});

test("saves nothing of an admin's run", async () => {
  const { machine, saved, recalled } = await aMachine([[start({ reservationId: null }), ...candles()]]);

  await machine.predict({ ...REQUEST, isAdmin: true, ampPercent: 300 });

  expect(saved()).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: false });
  expect(recalled()).toBeNull();
});

test('loads the history once more when a minute turned between history and stream', async () => {
  const { machine, backend, saved } = await aMachine();
  answerHistory(
    backend,
    () => aHistory(T0 - 60),
    () => aHistory(),
  );

  await machine.predict(REQUEST);

  expect(backend.to('/history')).toHaveLength(2);
  expect(machine.state().phase).toBe('done');
  expect(saved()).toHaveLength(1);
});

test('cuts a history that runs past the forecast where the model stopped reading', async () => {
  const { machine, backend, feed } = await aMachine();
  answerHistory(backend, () => aHistory(T0 + 120));

  await machine.predict(REQUEST);

  expect(backend.to('/history')).toHaveLength(1);
  expect(feed.series().candles[149]?.time).toBe(T0);
});

test('closes the stream and saves nothing when the history never reaches the forecast', async () => {
  const { machine, backend, saved } = await aMachine();
  answerHistory(backend, () => aHistory(T0 - 600));

  await machine.predict(REQUEST);

  expect(backend.to('/history')).toHaveLength(2);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'history-failed', notice: 'Failed to load' });
  expect(saved()).toEqual([]);
});

test('reports a history that fails once and does not try again', async () => {
  const { machine, backend, notified, opened } = await aMachine();
  answerHistory(backend, AWAY);

  await machine.predict(REQUEST);

  expect(backend.to('/history')).toHaveLength(1);
  expect(notified()).toEqual(['Failed to load']);
  expect(opened()).toEqual([]);
  const historyFailure = { isServerBusy: false, message: 'Away.' };
  expect(machine.state()).toMatchObject({ phase: 'idle', historyFailure, closedBy: 'history-failed' });
});

test('ignores a second click while a forecast runs', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, opened } = await aMachine([[start(), ...candles(0, 10), gate.promise, ...candles(10, 50)]]);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('streaming'));

  await machine.predict(REQUEST);
  gate.resolve();
  await run;

  expect(opened()).toHaveLength(1);
});

test('takes the market on the chart from its history, then from its forecast', async () => {
  const { machine, backend } = await aMachine([[start({ marketKind: 'live' }), ...candles()]]);
  answerHistory(backend, () => aHistory(T0, { 'x-market-kind': 'simulated', 'x-market-open': 'false' }));

  await machine.show(aMarket('DXY'));
  expect(machine.state()).toMatchObject({ marketKind: 'simulated', isMarketOpen: false });

  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'done', marketKind: 'live' });
});

test('leaves the candles and the note about their market after a stream that breaks off', async () => {
  const { machine } = await aMachine([[LOST]]);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', marketKind: 'replayed', isMarketOpen: true });
});

test('keeps the candles marked as old after a refresh that brings nothing', async () => {
  const { machine, backend, feed } = await aMachine();
  answerHistory(
    backend,
    () => aHistory(),
    AWAY,
    () => aHistory(T0 + 60),
  );
  await machine.show(aMarket());

  await machine.show(aMarket());
  expect(feed.series().candles.at(-1)?.time).toBe(T0);
  expect(machine.state()).toMatchObject({ historyFailure: {}, source: { isStale: true } });
  await machine.show(aMarket());

  expect(feed.series().candles.at(-1)?.time).toBe(T0 + 60);
  expect(machine.state()).toMatchObject({ historyFailure: null, source: { isStale: false } });
});

test('announces a history that keeps failing once, and again after one that loaded', async () => {
  const { machine, backend, notified } = await aMachine();
  answerHistory(backend, AWAY, AWAY, () => aHistory(), AWAY);

  await machine.show(aMarket());
  await machine.show(aMarket());
  expect(notified()).toEqual(['Failed to load']);
  await machine.show(aMarket());
  await machine.show(aMarket());

  expect(notified()).toEqual(['Failed to load', 'Failed to load']);
});

test("never leaves another symbol's candles under its name", async () => {
  const { machine, backend, feed } = await aMachine();
  answerHistory(backend, () => aHistory(), AWAY);
  await machine.show(aMarket());

  await machine.show(aMarket('ETH'));

  expect(feed.series().candles).toEqual([]);
  expect(machine.state()).toMatchObject({ historyFailure: {}, source: null, marketKind: null });
});

const STORED: StoredForecast = {
  start: aStart(),
  history: candlesUntil(T0 - 600, 150),
  forecast: forecastPath(T0 - 600),
  state: 'spent',
};

test.each<[string, (machine: ForecastMachine) => void]>([
  ['an opened', (machine) => machine.present(aMarket(), wholeOfStored(STORED), 'opened')],
  ['a shared', (machine) => machine.play(wholeOfStored(STORED))],
])('clears %s forecast when its market loads instead', async (_which, draw) => {
  const { machine, backend, feed } = await aMachine();
  await machine.show(aMarket());
  draw(machine);
  expect(machine.state().start).not.toBeNull();
  answerHistory(backend, AWAY);

  await machine.show(aMarket());

  expect(feed.series().candles).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', start: null, origin: null, source: null });
});
