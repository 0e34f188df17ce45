/** What a run does while the server has no room for it. */
import { afterEach, expect, test, vi } from 'vitest';
import { candlesUntil, T0 } from './testing/forecast-fixtures.ts';
import {
  aHistory,
  aMachine,
  BUSY_MESSAGE,
  busy,
  candles,
  LOST,
  type MachineUnderTest,
  REQUEST,
  shed,
  start,
  streamOf,
} from './testing/machine-fixtures.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The server sheds a stream twice, which starts a wait that is shown, and answers the third try once there is room. */
async function waitingMachine(answer?: Response) {
  const under = await aMachine();
  const room = Promise.withResolvers<void>();
  under.backend.on('GET /stream-kat2', async (request) => {
    if (under.opened().length < 3) return shed(0);
    await room.promise;
    return answer ?? streamOf([start(), ...candles()], request);
  });
  return { ...under, room };
}

const isWaiting = ({ machine }: Pick<MachineUnderTest, 'machine'>) =>
  vi.waitFor(() => expect(machine.state()).toMatchObject({ isServerBusy: true }));

test('shows that the server is busy until the first event, then runs as ever', async () => {
  const under = await waitingMachine();
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);
  expect(under.machine.state()).toMatchObject({ phase: 'streaming', isServerBusy: true });
  const phases = new Set<unknown>();
  under.machine.subscribe(() => {
    const state = under.machine.state();
    phases.add(state.phase === 'streaming' ? state.isServerBusy : state.phase);
  });

  under.room.resolve();
  await run;

  expect([...phases]).toEqual([false, 'saving', 'done']);
  expect(under.machine.state()).toMatchObject({ isSaved: true });
  expect(under.opened()).toEqual([null, null, null]);
  expect(under.saved()).toHaveLength(1);
});

test('stays busy from the wait for its history to the first event of its stream', async () => {
  const { machine, backend, opened } = await aMachine();
  const histories = [shed(0), shed(0)];
  backend.on('GET /history', () => histories.shift() ?? aHistory());
  const room = Promise.withResolvers<Response>();
  backend.on('GET /stream-kat2', () => room.promise);

  const run = machine.predict(REQUEST);
  await vi.waitFor(() => expect(opened()).toHaveLength(1));
  expect(machine.state()).toMatchObject({ phase: 'streaming', isServerBusy: true });
  room.resolve(streamOf([start(), ...candles()], { signal: null }));
  await run;

  expect(machine.state().phase).toBe('done');
});

test.each([
  ['starts the stream when both waits together take less than', 20, 'done'],
  ['gives up when both waits together take longer than', 50, 'idle'],
])('%s one minute', async (_what, streamWaitS, phase) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { machine, backend, opened } = await aMachine();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const histories = [shed(0), shed(30)];
  backend.on('GET /history', () => histories.shift() ?? aHistory());
  const streams = [shed(0), shed(streamWaitS)];
  backend.on('GET /stream-kat2', (request) => streams.shift() ?? streamOf([start(), ...candles()], request));

  const run = machine.predict(REQUEST);
  await isWaiting({ machine });
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(() => expect(opened()).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(streamWaitS * 1000);
  await run;

  expect(machine.state().phase).toBe(phase);
});

test('reports a failure when there is no room for a minute, and that nothing was charged', async () => {
  const under = await waitingMachine(busy());
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);

  under.room.resolve();
  await run;

  expect(under.machine.state()).toMatchObject({ phase: 'idle', closedBy: 'refused', notice: BUSY_MESSAGE });
  expect(under.notified()).toEqual([BUSY_MESSAGE]);
  expect(await under.reported()).toEqual([]);
});

test('opens one stream, however often it is started while it waits', async () => {
  const under = await waitingMachine();
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);

  await under.machine.predict(REQUEST);
  under.room.resolve();
  await run;

  expect(under.opened()).toHaveLength(3);
  expect(under.saved()).toHaveLength(1);
});

test.each(['cancelled', 'selection-changed', 'left'] as const)(
  'stops waiting when it is closed because of %s, and takes nothing that comes later',
  async (reason) => {
    const under = await waitingMachine();
    const run = under.machine.predict(REQUEST);
    await isWaiting(under);

    under.machine.close(reason);
    under.room.resolve();
    await run;

    expect(under.machine.state()).toMatchObject({ phase: 'idle', closedBy: reason });
    expect(under.feed.series().candles).toEqual(candlesUntil(T0, 150));
    expect(under.saved()).toEqual([]);
  },
);

test.each(['cancelled', 'selection-changed'] as const)(
  'stops waiting for the history too when it is closed because of %s',
  async (reason) => {
    const { machine, backend, opened } = await aMachine();
    const loading = Promise.withResolvers<Response>();
    backend.on('GET /history', () => (backend.to('/history').length < 3 ? shed(0) : loading.promise));
    const run = machine.predict(REQUEST);
    await isWaiting({ machine });
    expect(machine.state().phase).toBe('loading-history');

    machine.close(reason);

    expect(backend.to('/history')[0]?.signal?.aborted).toBe(true);
    expect(machine.state()).toMatchObject({ phase: 'idle', closedBy: reason });
    loading.resolve(aHistory());
    await run;
    expect(opened()).toEqual([]);
  },
);

test('keeps a broken-off forecast resumable when there is no room to resume it', async () => {
  const { machine, backend, opened, recalled } = await aMachine();
  backend.on('GET /stream-kat2', (request) => {
    if (opened().length === 1) return streamOf([start(), ...candles(0, 20), LOST], request);
    return opened().length === 2 ? busy() : streamOf(candles(20, 50), request);
  });
  await machine.predict(REQUEST);

  await machine.resume();
  expect(machine.state()).toMatchObject({ phase: 'interrupted', notice: BUSY_MESSAGE });
  expect(recalled()).not.toBeNull();
  await machine.resume();

  expect(opened()).toEqual([null, 'r1:20', 'r1:20']);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
});

test('remembers a forecast that could not be saved because the server was busy', async () => {
  const { machine, backend, recalled } = await aMachine();
  backend.fn('create-prediction', busy);

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: false });
  expect(recalled()).toMatchObject({ reservationId: 'r1' });
});
