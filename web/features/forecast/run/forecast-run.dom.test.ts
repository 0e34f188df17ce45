import { expect, test, vi } from 'vitest';
import { json } from '../../../platform/testing/fake-backend.ts';
import { aCandle, aMarket, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import {
  AWAY,
  aHistory,
  aMachine,
  candles,
  LOST,
  message,
  REQUEST,
  type Step,
  start,
} from '../testing/machine-fixtures.ts';

const ETH = aMarket('ETH');

test.each<[string, Step[], string]>([
  ['an error message', [start(), ...candles(0, 3), message(4, { error: 'Stopped.' })], 'error-message'],
  ['bad JSON', [start(), 'data: {"time":\n\n'], 'bad-message'],
  ['a candle before the start', candles(0, 1), 'bad-message'],
  ['a candle of another minute', [start(), ...candles(0, 1), message(2, aCandle(T0 + 600))], 'bad-message'],
  ['a start of another symbol', [start({ sym: 'ETHUSDT.P' })], 'bad-message'],
  ['a lost connection before the start', [LOST], 'connection-lost'],
])('closes the stream on %s, keeps the real candles and saves nothing', async (_what, steps, reason) => {
  const { machine, notified, onEnded, saved, feed } = await aMachine([steps]);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason, start: null });
  expect(machine.state()).toMatchObject({ notice: expect.any(String) });
  expect(notified()).toEqual([]);
  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0, 150) });
  expect(onEnded).toHaveBeenCalledExactlyOnceWith(null);
  expect(saved()).toEqual([]);
});

test('closes a refused stream, says why and reports nothing', async () => {
  const { machine, backend, notified, reported, onEnded, feed } = await aMachine();
  const refusal = { error: 'This model is not trained yet.', code: 'forecast/not-trained' };
  backend.on('GET /stream-kat2', () => json(refusal, 403));

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'refused', notice: refusal.error });
  expect(notified()).toEqual([refusal.error]);
  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0, 150) });
  expect(onEnded).toHaveBeenCalledExactlyOnceWith(null);
  expect(await reported()).toEqual([]);
});

test('closes the stream on a bug of the page, and reports it', async () => {
  const { machine, reported, saved, feed } = await aMachine();
  feed.listen({
    onReset: () => undefined,
    onAppend() {
      throw new TypeError('x is undefined');
    },
  });

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'bad-message', start: null });
  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0, 150) });
  expect(saved()).toEqual([]);
  expect(await reported()).toEqual(['stream']);
});

test('requests nothing of the server without a user', async () => {
  const { machine, backend } = await aMachine();

  await machine.predict({ ...REQUEST, userId: null });

  expect(machine.state().closedBy).toBe('no-user');
  expect([...backend.to('/stream-kat2'), ...backend.to('/history')]).toEqual([]);
});

test.each(['selection-changed', 'left'] as const)(
  'takes no further candle after the run was closed because of %s',
  async (reason) => {
    const gate = Promise.withResolvers<void>();
    const { machine, onEnded, saved, feed } = await aMachine([
      [start(), ...candles(0, 10), gate.promise, ...candles(10, 50)],
    ]);
    const run = machine.predict(REQUEST);
    await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

    machine.close(reason);
    gate.resolve();
    await run;

    expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason });
    expect(feed.series().candles).toHaveLength(150);
    expect(onEnded).toHaveBeenCalledExactlyOnceWith(null);
    expect(saved()).toEqual([]);
  },
);

test('closes the run for another symbol and shows its history', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, backend, feed } = await aMachine([[start(), ...candles(0, 10), gate.promise]]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  await machine.show(ETH);
  gate.resolve();

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
  expect(backend.to('/history').at(-1)?.search).toContain('sym=ETHUSDT.P');
  expect(feed.series().candles).toHaveLength(150);
});

test.each([
  ['breaks off', [start(), ...candles(0, 20), LOST]],
  ['ends early', [start(), ...candles(0, 20)]],
])('resumes a stream that %s behind the last candle', async (_how, first) => {
  const { machine, onEnded, opened, saved, feed } = await aMachine([first, candles(18, 50)]);
  await machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'interrupted', closedBy: 'connection-lost' });
  expect(feed.series().candles).toHaveLength(170);
  expect(onEnded).toHaveBeenCalledExactlyOnceWith(null);

  await machine.resume();

  expect(opened()).toEqual([null, 'r1:20']);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
  expect(saved()).toEqual([[...candlesUntil(T0, 150), ...forecastPath()]]);
});

test('opens no stream for a run taken back while its history loads, and shows the history', async () => {
  const loading = Promise.withResolvers<Response>();
  const { machine, backend, onEnded, opened, feed } = await aMachine();
  backend.on('GET /history', () => loading.promise);
  const run = machine.predict(REQUEST);
  expect(machine.state()).toMatchObject({ phase: 'loading-history', request: REQUEST });

  machine.close('selection-changed');
  loading.resolve(aHistory());
  await run;

  expect(opened()).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
  expect(feed.series().candles).toHaveLength(150);
  expect(onEnded).not.toHaveBeenCalled();
});

test('opens no stream for a run when another symbol is picked while its history loads', async () => {
  const loading = Promise.withResolvers<Response>();
  const { machine, backend, opened } = await aMachine();
  backend.on('GET /history', () => loading.promise);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(backend.to('/history')).toHaveLength(1));
  backend.on('GET /history', () => aHistory());

  await machine.show(ETH);
  loading.resolve(aHistory());
  await run;

  expect(opened()).toEqual([]);
  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'selection-changed' });
});

test('takes nothing of the stream for a run taken back while it connects', async () => {
  const connecting = Promise.withResolvers<void>();
  const { machine, onEnded, saved, feed, recalled } = await aMachine([[connecting.promise, start(), ...candles()]]);
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('streaming'));

  machine.close('selection-changed');
  connecting.resolve();
  await run;

  expect(feed.series().candles).toHaveLength(150);
  expect(recalled()).toBeNull();
  expect(onEnded).toHaveBeenCalledOnce();
  expect(saved()).toEqual([]);
});

test('draws nothing of a run that was closed while its history loaded again', async () => {
  const reloading = Promise.withResolvers<Response>();
  const { machine, backend, feed } = await aMachine();
  backend.on('GET /history', () => (backend.to('/history').length > 1 ? reloading.promise : aHistory(T0 - 60)));
  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(backend.to('/history')).toHaveLength(2));

  machine.close('cancelled');
  reloading.resolve(aHistory());
  await run;

  expect(feed.series()).toMatchObject({ joinS: null, candles: candlesUntil(T0 - 60, 150) });
  expect(machine.state()).toMatchObject({ phase: 'idle', start: null, closedBy: 'cancelled' });
});

test("shows 'Failed to load' for a history that cannot be loaded again under a stream", async () => {
  const { machine, backend, notified, reported } = await aMachine();
  backend.on('GET /history', () => (backend.to('/history').length > 1 ? AWAY() : aHistory(T0 - 60)));

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: 'history-failed', notice: 'Failed to load' });
  expect(notified()).toEqual(['Failed to load']);
  expect(await reported()).toEqual(['stream']);
});
