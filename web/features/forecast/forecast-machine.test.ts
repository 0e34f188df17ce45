import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SYMBOL, SYMBOLS } from '#domain/market/symbols.ts';
import { createCandleFeed } from '../../charts/candle-feed.ts';
import { CallError } from '../../platform/call-error.ts';
import { type ForecastEvent, Refusal } from './forecast-api.ts';
import { createForecastMachine, type ForecastPorts } from './forecast-machine.ts';
import type { ForecastRequest } from './forecast-state.ts';
import { aCandle, aStart, candlesUntil, forecastPath, T0 } from './forecast-test-data.ts';
import type { Remembered } from './reservation-memory.ts';

type Step = ForecastEvent | Error | Promise<unknown>;

const REQUEST: ForecastRequest = {
  userId: 'u1',
  symbol: DEFAULT_SYMBOL,
  model: 'bobcat',
  ampPercent: 100,
  isAdmin: false,
};

const start = (change = {}): Step => ({ type: 'start', id: 'r1:0', start: aStart(change) });
const candles = (from = 0, to = 50): Step[] =>
  forecastPath()
    .slice(from, to)
    .map((candle, i) => ({ type: 'candle', id: `r1:${from + i + 1}`, candle }));

let remembered: Remembered | null;
beforeEach(() => {
  remembered = null;
});

/** A machine whose server sends `streams`, one list for each time it is opened. */
function aMachine(streams: Step[][] = [[start(), ...candles()]], change: Partial<ForecastPorts> = {}) {
  const opened: (string | null)[] = [];
  const ports = {
    loadHistory: vi.fn(async () => candlesUntil(T0, 450)),
    async *openStream(_request: unknown, lastEventId: string | null) {
      opened.push(lastEventId);
      for (const step of streams.shift() ?? []) {
        if (step instanceof Promise) await step;
        else if (step instanceof Error) throw step;
        else yield step;
      }
    },
    save: vi.fn(async () => null),
    loadStored: vi.fn(async () => null),
    memory: {
      remember: (entry: Remembered) => {
        remembered = entry;
      },
      recall: () => remembered,
      forget: vi.fn((reservationId?: string | null) => {
        if (reservationId === undefined || reservationId === remembered?.reservationId) remembered = null;
      }),
    },
    tell: vi.fn(),
    report: vi.fn(),
    onEnded: vi.fn(),
    ...change,
  } satisfies ForecastPorts;
  const feed = createCandleFeed();
  return { machine: createForecastMachine(ports, feed), ports, feed, opened };
}

test('a run loads 150 candles, collects 50, saves exactly 200 and tells that it ended', async () => {
  const { machine, ports, feed } = aMachine();
  const phases: string[] = [];
  machine.subscribe(() => phases.push(machine.state().phase));

  await machine.predict(REQUEST);

  expect([...new Set(phases)]).toEqual(['loading-history', 'streaming', 'saving', 'done']);
  const saved = vi.mocked(ports.save).mock.calls[0]?.at(1) as unknown[];
  expect(saved).toEqual([...candlesUntil(T0, 150), ...forecastPath()]);
  expect(feed.series()).toMatchObject({ joinS: T0, candles: saved });
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: true });
  expect(ports.onEnded).toHaveBeenCalledOnce();
  expect(remembered).toBeNull();
});

test("an admin's run saves nothing", async () => {
  const { machine, ports } = aMachine([[start({ reservationId: null }), ...candles()]]);

  await machine.predict({ ...REQUEST, isAdmin: true, ampPercent: 300 });

  expect(ports.save).not.toHaveBeenCalled();
  expect(machine.state()).toMatchObject({ phase: 'done', closedBy: 'finished', isSaved: false });
  expect(remembered).toBeNull();
});

test('a minute that turned between history and stream loads the history once more', async () => {
  const loadHistory = vi
    .fn()
    .mockResolvedValueOnce(candlesUntil(T0 - 60, 450))
    .mockResolvedValueOnce(candlesUntil(T0, 450));
  const { machine, ports } = aMachine(undefined, { loadHistory });

  await machine.predict(REQUEST);

  expect(loadHistory).toHaveBeenCalledTimes(2);
  expect(machine.state().phase).toBe('done');
  expect(ports.save).toHaveBeenCalledOnce();
});

test('a history that runs past the forecast is cut where the model stopped reading', async () => {
  const { machine, ports, feed } = aMachine(undefined, { loadHistory: vi.fn(async () => candlesUntil(T0 + 120, 450)) });

  await machine.predict(REQUEST);

  expect(ports.loadHistory).toHaveBeenCalledOnce();
  expect(feed.series().candles[149]?.time).toBe(T0);
});

test('a history that never reaches the forecast closes the stream and saves nothing', async () => {
  const { machine, ports } = aMachine(undefined, { loadHistory: vi.fn(async () => candlesUntil(T0 - 600, 450)) });

  await machine.predict(REQUEST);

  expect(ports.loadHistory).toHaveBeenCalledTimes(2);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'history-failed', notice: 'Failed to load' });
  expect(ports.save).not.toHaveBeenCalled();
});

test('a history that fails is told once and not tried again', async () => {
  const loadHistory = vi.fn().mockRejectedValue(new Error('503'));
  const { machine, ports, opened } = aMachine(undefined, { loadHistory });

  await machine.predict(REQUEST);

  expect(loadHistory).toHaveBeenCalledOnce();
  expect(ports.tell).toHaveBeenCalledExactlyOnceWith('Failed to load');
  expect(opened).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', hasHistoryFailed: true, closedBy: 'history-failed' });
});

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
])('%s closes the stream, keeps the real candles and saves nothing', async (_what, steps, reason, told) => {
  const { machine, ports, feed } = aMachine([steps]);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason, start: null });
  expect(machine.state().notice).not.toBeNull();
  expect(vi.mocked(ports.tell).mock.calls.flat()).toEqual(told);
  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0, 150) });
  expect(ports.save).not.toHaveBeenCalled();
});

test('without a user nothing is asked of the server', async () => {
  const { machine, ports, opened } = aMachine();

  await machine.predict({ ...REQUEST, userId: null });

  expect(machine.state().closedBy).toBe('no-user');
  expect([opened, vi.mocked(ports.loadHistory).mock.calls]).toEqual([[], []]);
});

test.each(['selection-changed', 'left'] as const)(
  'a run closed because of %s takes no further candle',
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
    expect(ports.save).not.toHaveBeenCalled();
  },
);

test('another symbol closes the run and shows its own history', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, ports, feed } = aMachine([[start(), ...candles(0, 10), gate.promise]]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  await machine.show(SYMBOLS[1]);
  gate.resolve();

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
  expect(vi.mocked(ports.loadHistory).mock.lastCall).toEqual([SYMBOLS[1], expect.any(AbortSignal)]);
  expect(feed.series().candles).toHaveLength(150);
});

test('a second press while a forecast runs does nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, opened } = aMachine([[start(), ...candles(0, 10), gate.promise, ...candles(10, 50)]]);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('streaming'));

  await machine.predict(REQUEST);
  gate.resolve();
  await run;

  expect(opened).toHaveLength(1);
});

test.each([
  ['breaks off', [start(), ...candles(0, 20), new CallError('stream/lost', 'The connection was lost.', 0)]],
  ['ends early', [start(), ...candles(0, 20)]],
])('a stream that %s can be resumed behind the last candle', async (_how, first) => {
  const { machine, ports, opened, feed } = aMachine([first, candles(18, 50)]);
  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'interrupted', closedBy: 'connection-lost' });
  expect(feed.series().candles).toHaveLength(170);

  await machine.resume();

  expect(opened).toEqual([null, 'r1:20']);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
  expect(vi.mocked(ports.save).mock.calls[0]?.at(1)).toEqual([...candlesUntil(T0, 150), ...forecastPath()]);
});

test('a failure to save is silent; a server that said no has decided, a lost answer has not', async () => {
  const refusing = aMachine(undefined, { save: vi.fn().mockRejectedValue(new Refusal('No.')) });
  await refusing.machine.predict(REQUEST);
  expect(refusing.machine.state()).toMatchObject({ phase: 'done', isSaved: false, notice: null });
  expect(refusing.ports.tell).not.toHaveBeenCalled();
  expect(refusing.ports.report).toHaveBeenCalledOnce();
  expect(refusing.ports.onEnded).toHaveBeenCalledOnce();
  expect(remembered).toBeNull();

  const lost = { name: 'CallError', code: 'network', message: 'No answer.', status: 0 };
  const offline = aMachine(undefined, { save: vi.fn().mockRejectedValue(lost) });
  await offline.machine.predict(REQUEST);
  expect(remembered).toMatchObject({ reservationId: 'r1', userId: 'u1' });
});

const REMEMBERED: Remembered = { reservationId: 'r1', userId: 'u1', symbolLabel: 'BTC', model: 'bobcat' };
const stored = (state: 'reserved' | 'spent') => ({
  start: aStart(),
  history: candlesUntil(T0, 150),
  forecast: forecastPath(),
  state,
});

test('a reload finishes the picture and saves what was not saved yet', async () => {
  const { machine, ports, feed } = aMachine([], { loadStored: vi.fn(async () => stored('reserved')) });

  await machine.restore(REMEMBERED, REQUEST);

  expect(feed.series()).toMatchObject({ joinS: T0 });
  expect(feed.series().candles).toHaveLength(200);
  expect(ports.save).toHaveBeenCalledOnce();
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
});

test('a run dropped for another symbol or model is not brought back by a reload; one whose page was left is', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, feed } = aMachine([
    [start(), ...candles(0, 10), gate.promise],
    [start(), ...candles(0, 10)],
  ]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));
  machine.close('selection-changed');
  expect(remembered).toBeNull();

  await machine.predict(REQUEST);
  machine.close('left');

  expect(remembered).toMatchObject({ reservationId: 'r1' });
});

test('a save that ends late does not forget the next run', async () => {
  const saving = Promise.withResolvers<null>();
  const save = vi.fn().mockReturnValueOnce(saving.promise);
  const next = Promise.withResolvers<void>();
  const { machine, feed } = aMachine(
    [
      [start(), ...candles()],
      [start({ reservationId: 'r2' }), ...candles(0, 10), next.promise],
    ],
    { save },
  );
  const first = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('saving'));
  machine.close('selection-changed');
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  saving.resolve(null);
  await first;

  expect(remembered).toMatchObject({ reservationId: 'r2' });
});

test('a reload does not save twice, and forgets a forecast that is gone', async () => {
  const spent = aMachine([], { loadStored: vi.fn(async () => stored('spent')) });
  await spent.machine.restore(REMEMBERED, REQUEST);
  expect(spent.ports.save).not.toHaveBeenCalled();
  expect(spent.machine.state()).toMatchObject({ phase: 'done', isSaved: true });

  const gone = aMachine([]);
  await gone.machine.restore(REMEMBERED, REQUEST);
  expect(gone.ports.memory.forget).toHaveBeenCalled();
  expect(gone.feed.series().candles).toHaveLength(150);
});
