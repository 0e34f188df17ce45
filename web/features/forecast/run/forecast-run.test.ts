import { expect, test, vi } from 'vitest';
import { CallError } from '../../../platform/calls/call-error.ts';
import { aCandle, aMarket, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { aHistory, aMachine, candles, REQUEST, type Step, start } from '../testing/machine-fixtures.ts';
import type { History } from './history-api.ts';

const ETH = aMarket('ETH');
const refused = new CallError('forecast/not-trained', 'This model is not trained yet.', 503);

const wrongMinute: Step = { type: 'candle', id: 'r1:2', candle: aCandle(T0 + 600) };

test.each<[string, Step[], string, string[]]>([
  ['a refusal', [refused], 'refused', ['This model is not trained yet.']],
  [
    'an error message',
    [start(), ...candles(0, 3), { type: 'error', message: 'Stopped.', code: null }],
    'error-message',
    [],
  ],
  ['bad JSON', [start(), new CallError('stream/bad-json', 'Unreadable.', 0)], 'bad-message', []],
  ['a candle before the start', candles(0, 1), 'bad-message', []],
  ['a candle of another minute', [start(), ...candles(0, 1), wrongMinute], 'bad-message', []],
  ['a start of another symbol', [start({ sym: 'ETHUSDT.P' })], 'bad-message', []],
  ['a bug', [start(), new TypeError('x is undefined')], 'bad-message', []],
  ['a lost connection before the start', [new CallError('stream/lost', 'Lost.', 0)], 'connection-lost', []],
])('closes the stream on %s, keeps the real candles and saves nothing', async (_what, steps, reason, notified) => {
  const { machine, ports, feed } = aMachine([steps]);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason, start: null });
  expect(machine.state().notice).not.toBeNull();
  expect(vi.mocked(ports.notify).mock.calls.flat()).toEqual(notified);
  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0, 150) });
  expect(ports.onEnded).toHaveBeenCalledExactlyOnceWith(null);
  expect(ports.save).not.toHaveBeenCalled();
});

test('requests nothing of the server without a user', async () => {
  const { machine, ports, opened } = aMachine();

  await machine.predict({ ...REQUEST, userId: null });

  expect(machine.state().closedBy).toBe('no-user');
  expect([opened, vi.mocked(ports.loadHistory).mock.calls]).toEqual([[], []]);
});

test.each(['selection-changed', 'left'] as const)(
  'takes no further candle after the run was closed because of %s',
  async (reason) => {
    const gate = Promise.withResolvers<void>();
    const { machine, ports, feed } = aMachine([[start(), ...candles(0, 10), gate.promise, ...candles(10, 50)]]);
    const run = machine.predict(REQUEST);
    await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

    machine.close(reason);
    gate.resolve();
    await run;

    expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason });
    expect(feed.series().candles).toHaveLength(150);
    expect(ports.onEnded).toHaveBeenCalledExactlyOnceWith(null);
    expect(ports.save).not.toHaveBeenCalled();
  },
);

test('closes the run for another symbol and shows its history', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, ports, feed } = aMachine([[start(), ...candles(0, 10), gate.promise]]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  await machine.show(ETH);
  gate.resolve();

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
  expect(vi.mocked(ports.loadHistory).mock.lastCall).toEqual([ETH, expect.any(AbortSignal), undefined]);
  expect(feed.series().candles).toHaveLength(150);
});

test.each([
  ['breaks off', [start(), ...candles(0, 20), new CallError('stream/lost', 'The connection was lost.', 0)]],
  ['ends early', [start(), ...candles(0, 20)]],
])('resumes a stream that %s behind the last candle', async (_how, first) => {
  const { machine, ports, opened, feed } = aMachine([first, candles(18, 50)]);
  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'interrupted', closedBy: 'connection-lost' });
  expect(feed.series().candles).toHaveLength(170);
  expect(ports.onEnded).toHaveBeenCalledExactlyOnceWith(null);

  await machine.resume();

  expect(opened).toEqual([null, 'r1:20']);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
  expect(vi.mocked(ports.save).mock.calls[0]?.at(1)).toEqual([...candlesUntil(T0, 150), ...forecastPath()]);
});

test('opens no stream for a run taken back while its history loads, and shows the history', async () => {
  const loading = Promise.withResolvers<History>();
  const { machine, ports, opened, feed } = aMachine(undefined, { loadHistory: () => loading.promise });
  const run = machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'loading-history', activeRequest: REQUEST });

  machine.close('selection-changed');
  loading.resolve(aHistory());
  await run;

  expect(opened).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed', activeRequest: null });
  expect(feed.series().candles).toHaveLength(150);
  expect(ports.onEnded).not.toHaveBeenCalled();
});

test('opens no stream for a run when another symbol is picked while its history loads', async () => {
  const loading = Promise.withResolvers<History>();
  const loadHistory = vi.fn().mockReturnValueOnce(loading.promise).mockResolvedValue(aHistory());
  const { machine, opened } = aMachine(undefined, { loadHistory });
  const run = machine.predict(REQUEST);

  await machine.show(ETH);
  loading.resolve(aHistory());
  await run;

  expect(opened).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
});

test('takes nothing of the stream for a run taken back while it connects', async () => {
  const connecting = Promise.withResolvers<void>();
  const { machine, ports, feed, recalled } = aMachine([[connecting.promise, start(), ...candles()]]);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('streaming'));

  machine.close('selection-changed');
  connecting.resolve();
  await run;

  expect(feed.series().candles).toHaveLength(150);
  expect(recalled()).toBeNull();
  expect(ports.onEnded).toHaveBeenCalledOnce();
  expect(ports.save).not.toHaveBeenCalled();
});

test("shows 'Failed to load' for a history that cannot be loaded again under a stream", async () => {
  const away = new Error('503');
  const loadHistory = vi
    .fn()
    .mockResolvedValueOnce(aHistory(T0 - 60))
    .mockRejectedValueOnce(away);
  const { machine, ports } = aMachine(undefined, { loadHistory });

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'history-failed', notice: 'Failed to load' });
  expect(ports.notify).toHaveBeenCalledExactlyOnceWith('Failed to load');
  expect(ports.report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cause: away }), expect.anything());
});
