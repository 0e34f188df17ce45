import { expect, test, vi } from 'vitest';
import { CallError } from '../../../platform/calls/call-error.ts';
import { aMarket, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { aHistory, aMachine, candles, REQUEST, start } from '../testing/machine-fixtures.ts';

test('loads 150 candles, collects 50, saves exactly 200 and reports the end', async () => {
  const { machine, ports, feed, recalled } = aMachine();
  const phases: string[] = [];
  machine.subscribe(() => phases.push(machine.state().phase));

  await machine.predict(REQUEST);

  expect([...new Set(phases)]).toEqual(['loading-history', 'streaming', 'saving', 'done']);
  const saved = vi.mocked(ports.save).mock.calls[0]?.at(1) as unknown[];
  expect(saved).toEqual([...candlesUntil(T0, 150), ...forecastPath()]);
  expect(feed.series()).toMatchObject({ joinS: T0, candles: saved });
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: true });
  expect(ports.onEnded).toHaveBeenCalledOnce();
  expect(recalled()).toBeNull();
});

test("saves nothing of an admin's run", async () => {
  const { machine, ports, recalled } = aMachine([[start({ reservationId: null }), ...candles()]]);

  await machine.predict({ ...REQUEST, isAdmin: true, ampPercent: 300 });

  expect(ports.save).not.toHaveBeenCalled();
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: false });
  expect(recalled()).toBeNull();
});

test('loads the history once more when a minute turned between history and stream', async () => {
  const loadHistory = vi
    .fn()
    .mockResolvedValueOnce(aHistory(T0 - 60))
    .mockResolvedValueOnce(aHistory());
  const { machine, ports } = aMachine(undefined, { loadHistory });

  await machine.predict(REQUEST);

  expect(loadHistory).toHaveBeenCalledTimes(2);
  expect(machine.state().phase).toBe('done');
  expect(ports.save).toHaveBeenCalledOnce();
});

test('cuts a history that runs past the forecast where the model stopped reading', async () => {
  const { machine, ports, feed } = aMachine(undefined, { loadHistory: vi.fn(async () => aHistory(T0 + 120)) });

  await machine.predict(REQUEST);

  expect(ports.loadHistory).toHaveBeenCalledOnce();
  expect(feed.series().candles[149]?.time).toBe(T0);
});

test('closes the stream and saves nothing when the history never reaches the forecast', async () => {
  const { machine, ports } = aMachine(undefined, { loadHistory: vi.fn(async () => aHistory(T0 - 600)) });

  await machine.predict(REQUEST);

  expect(ports.loadHistory).toHaveBeenCalledTimes(2);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'history-failed', notice: 'Failed to load' });
  expect(ports.save).not.toHaveBeenCalled();
});

test('reports a history that fails once and does not try again', async () => {
  const loadHistory = vi.fn().mockRejectedValue(new Error('503'));
  const { machine, ports, opened } = aMachine(undefined, { loadHistory });

  await machine.predict(REQUEST);

  expect(loadHistory).toHaveBeenCalledOnce();
  expect(ports.notify).toHaveBeenCalledExactlyOnceWith('Failed to load');
  expect(opened).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', hasHistoryFailed: true, closedBy: 'history-failed' });
});

test('ignores a second click while a forecast runs', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, opened } = aMachine([[start(), ...candles(0, 10), gate.promise, ...candles(10, 50)]]);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('streaming'));

  await machine.predict(REQUEST);
  gate.resolve();
  await run;

  expect(opened).toHaveLength(1);
});

test('takes the market on the chart from its history, then from its forecast', async () => {
  const loadHistory = vi.fn(async () => aHistory(T0, { marketKind: 'simulated', isMarketOpen: false }));
  const { machine } = aMachine([[start({ marketKind: 'live' }), ...candles()]], { loadHistory });

  await machine.show(aMarket('DXY'));
  expect(machine.state()).toMatchObject({ marketKind: 'simulated', isMarketOpen: false });

  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'done', marketKind: 'live' });
});

test('leaves the candles and the note about their market after a stream that breaks off', async () => {
  const { machine } = aMachine([[new CallError('stream/lost', 'Lost.', 0)]]);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', marketKind: 'replayed', isMarketOpen: true });
});

test('keeps the candles marked as old after a refresh that brings nothing', async () => {
  const loadHistory = vi
    .fn()
    .mockResolvedValueOnce(aHistory())
    .mockRejectedValueOnce(new Error('503'))
    .mockResolvedValueOnce(aHistory(T0 + 60));
  const { machine, feed } = aMachine(undefined, { loadHistory });
  await machine.show(aMarket());

  await machine.show(aMarket());
  expect(feed.series().candles.at(-1)?.time).toBe(T0);
  expect(machine.state()).toMatchObject({ hasHistoryFailed: true, source: { isStale: true } });
  await machine.show(aMarket());

  expect(feed.series().candles.at(-1)?.time).toBe(T0 + 60);
  expect(machine.state()).toMatchObject({ hasHistoryFailed: false, source: { isStale: false } });
});

test("never leaves another symbol's candles under its name", async () => {
  const loadHistory = vi.fn().mockResolvedValueOnce(aHistory()).mockRejectedValueOnce(new Error('503'));
  const { machine, feed } = aMachine(undefined, { loadHistory });
  await machine.show(aMarket());

  await machine.show(aMarket('ETH'));

  expect(feed.series().candles).toEqual([]);
  expect(machine.state()).toMatchObject({ hasHistoryFailed: true, source: null, marketKind: null });
});
