/** What a run does while the server has no room for it. */
import { expect, test, vi } from 'vitest';
import { CallError } from '../../platform/calls/call-error.ts';
import type { Patience } from '../../platform/calls/shed-retry.ts';
import type { History } from './run/history-api.ts';
import { candlesUntil, T0 } from './testing/forecast-fixtures.ts';
import { aHistory, aMachine, candles, REQUEST, type Step, start } from './testing/machine-fixtures.ts';

const BUSY = new CallError('server/busy', 'Kat is busy right now. Please try again in a few seconds.', 503);

/** A machine whose streams wait for room before anything arrives. */
function waitingMachine(...streams: (Step[] | 'immediately')[]) {
  const room = Promise.withResolvers<void>();
  const seen: Patience[] = [];
  const opened: (string | null)[] = [];
  const under = aMachine([], {
    async *openStream(_request, lastEventId, signal, patience) {
      opened.push(lastEventId);
      seen.push(patience);
      patience.onWait();
      await room.promise;
      signal.throwIfAborted();
      for (const step of streams.shift() ?? []) {
        if (step instanceof Error) throw step;
        yield step as never;
      }
    },
  });
  return { ...under, room, seen, opened };
}

const isWaiting = ({ machine }: Pick<ReturnType<typeof waitingMachine>, 'machine'>) =>
  vi.waitFor(() => expect(machine.state().isServerBusy).toBe(true));

test('shows that the server is busy until the first event, then runs as ever', async () => {
  const under = waitingMachine([start(), ...candles()]);
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);
  expect(under.machine.state()).toMatchObject({ phase: 'streaming', notice: null });

  under.room.resolve();
  await run;

  expect(under.machine.state()).toMatchObject({ phase: 'done', isServerBusy: false, isSaved: true });
  expect(under.opened).toEqual([null]);
  expect(under.ports.save).toHaveBeenCalledOnce();
});

test('waits one minute in all, for the history and for the stream', async () => {
  const loadHistory = vi.fn(async () => aHistory());
  const under = aMachine(undefined, { loadHistory });
  const before = performance.now();
  await under.machine.predict(REQUEST);

  const [, , patience] = loadHistory.mock.lastCall as unknown as [unknown, unknown, Patience];

  expect(patience.untilMs - before).toBeGreaterThanOrEqual(60_000);
  expect(patience.untilMs - before).toBeLessThan(61_000);
  expect(under.patience[0]).toBe(patience);
});

test('reports a failure when there is no room for a minute, and that nothing was charged', async () => {
  const under = waitingMachine([BUSY]);
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);

  under.room.resolve();
  await run;

  expect(under.machine.state()).toMatchObject({
    phase: 'idle',
    isServerBusy: false,
    closedBy: 'refused',
    notice: BUSY.message,
  });
  expect(under.ports.notify).toHaveBeenCalledExactlyOnceWith(BUSY.message);
  expect(under.ports.report).not.toHaveBeenCalled();
});

test('opens one stream, however often it is started while it waits', async () => {
  const under = waitingMachine([start(), ...candles()]);
  const run = under.machine.predict(REQUEST);
  await isWaiting(under);

  await under.machine.predict(REQUEST);
  under.room.resolve();
  await run;

  expect(under.opened).toHaveLength(1);
  expect(under.ports.save).toHaveBeenCalledOnce();
});

test.each(['cancelled', 'selection-changed', 'left'] as const)(
  'stops waiting when it is closed because of %s, and takes nothing that comes later',
  async (reason) => {
    const under = waitingMachine([start(), ...candles()]);
    const run = under.machine.predict(REQUEST);
    await isWaiting(under);

    under.machine.close(reason);
    under.seen[0]?.onWait();
    under.room.resolve();
    await run;

    expect(under.machine.state()).toMatchObject({
      phase: 'idle',
      isServerBusy: false,
      activeRequest: null,
      closedBy: reason,
    });
    expect(under.feed.series().candles).toEqual(candlesUntil(T0, 150));
    expect(under.ports.save).not.toHaveBeenCalled();
  },
);

test.each(['cancelled', 'selection-changed'] as const)(
  'stops waiting for the history too when it is closed because of %s',
  async (reason) => {
    const loading = Promise.withResolvers<History>();
    const loadHistory = vi.fn((_symbol: unknown, _signal: AbortSignal, patience?: Patience) => {
      patience?.onWait();
      return loading.promise;
    });
    const { machine, opened } = aMachine(undefined, { loadHistory });
    const run = machine.predict(REQUEST);
    expect(machine.state()).toMatchObject({ phase: 'loading-history', isServerBusy: true });

    machine.close(reason);

    expect(loadHistory.mock.calls[0]?.[1].aborted).toBe(true);
    expect(machine.state()).toMatchObject({ phase: 'idle', isServerBusy: false, activeRequest: null });
    loading.resolve(aHistory());
    await run;
    expect(opened).toEqual([]);
  },
);

test('keeps a broken-off forecast resumable when there is no room to resume it', async () => {
  const lost = new CallError('stream/lost', 'The connection was lost.', 0);
  const { machine, opened, recalled } = aMachine([[start(), ...candles(0, 20), lost], [BUSY], candles(20, 50)]);
  await machine.predict(REQUEST);

  await machine.resume();
  expect(machine.state()).toMatchObject({ phase: 'interrupted', notice: BUSY.message });
  expect(recalled()).not.toBeNull();
  await machine.resume();

  expect(opened).toEqual([null, 'r1:20', 'r1:20']);
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
});

test('remembers a forecast that could not be saved because the server was busy', async () => {
  const { machine, recalled } = aMachine(undefined, { save: vi.fn().mockRejectedValue(BUSY) });

  await machine.predict(REQUEST);

  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: false });
  expect(recalled()).toMatchObject({ reservationId: 'r1' });
});
