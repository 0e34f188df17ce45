/** Which process leads over one database: one at a time, and another soon after the first has died. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { leaderStore } from '../../server/platform/processes/leader-store.ts';
import { type Leadership, startLeadership } from '../../server/platform/processes/leadership.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { stillClock } from '../support/run/still-clock.ts';

const TIMING = { leaseMs: 600, renewMs: 100, checkMs: 50, yieldMs: 300 };
/** Longer than any wait, so that a leader on a busy machine never loses its lease. */
const LASTING = { ...TIMING, leaseMs: 600_000 };

describeOneDatabase('leadership', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  const store = () => leaderStore(database());
  const start = (name: string, own = store(), timing = LASTING): Leadership =>
    startLeadership({ name, store: own, log: testLog, timing });
  const leaders = (all: readonly Leadership[]) => all.filter(({ term }) => term !== null);

  test('belongs to one process at a time, for as long as it lives', async () => {
    const all = Array.from({ length: 5 }, () => start('one'));
    await vi.waitFor(() => expect(leaders(all)).toHaveLength(1));
    const [leader] = leaders(all);
    for (let i = 0; i < 10; i++) {
      await wait(100);
      expect(leaders(all)).toEqual([leader]);
    }
    expect(leader?.term).toBe(1);
    await Promise.all(all.map((one) => one.close()));
  });

  test('passes on although the clock was set back by an hour after its holder died', async () => {
    await store().hold('set-back', randomUUID(), 3_600_000);
    const next = start('set-back');
    await vi.waitFor(() => expect(next.term).toBe(2));
    await next.close();
  });

  test('passes on immediately, with a higher term, when its holder closes', async () => {
    const first = start('handed');
    await vi.waitFor(() => expect(first.term).toBe(1));
    const second = start('handed');
    const reported: (number | null)[] = [];
    second.onChange((term) => reported.push(term));
    await first.close();
    // The lease would still last.
    await vi.waitFor(() => expect(second.term).toBe(2));
    expect([first.term, reported]).toEqual([null, [2]]);
    await second.close();
  });

  test('yields to another process, and returns to its holder when there is none', async () => {
    const clock = stillClock();
    const first = start('way');
    await vi.waitFor(() => expect(first.term).toBe(1));
    await first.giveWay();
    expect(first.term).toBe(null);
    clock.advance(LASTING.yieldMs);
    // The same holder, because no other process took over in between.
    await vi.waitFor(() => expect(first.term).toBe(1));
    const second = start('way');
    await wait(100);
    await first.giveWay();
    await vi.waitFor(() => expect(second.term).toBe(2));
    clock.advance(2 * LASTING.yieldMs);
    await wait(4 * LASTING.checkMs);
    expect([first.term, second.term]).toEqual([null, 2]);
    await Promise.all([first.close(), second.close()]);
  });

  test('yields to another process although its renewal is under way', async () => {
    stillClock();
    const own = store();
    const renewal = { isHeld: false, begun: Promise.withResolvers<void>(), going: Promise.withResolvers<void>() };
    const hold: typeof own.hold = async (...args) => {
      renewal.begun.resolve();
      if (renewal.isHeld) await renewal.going.promise;
      return own.hold(...args);
    };
    const first = start('renewing', { ...own, hold });
    await vi.waitFor(() => expect(first.term).toBe(1));
    renewal.begun = Promise.withResolvers();
    renewal.isHeld = true;
    await renewal.begun.promise;

    const yielding = first.giveWay();
    // Time for a release that would not wait for the renewal.
    await wait(100);
    renewal.going.resolve();
    await yielding;

    const second = start('renewing');
    await vi.waitFor(() => expect(second.term).toBe(2));
    await Promise.all([first.close(), second.close()]);
  });

  test('leaves a paused process when its lease ends, and stays with the successor', async () => {
    const own = store();
    const expiring = { ...TIMING, leaseMs: 3000 };
    let isPaused = false;
    // A paused process neither renews its lease nor receives anything.
    const hold: typeof own.hold = async (...args) => {
      while (isPaused) await wait(20);
      return own.hold(...args);
    };
    const paused = start('paused', { ...own, hold }, expiring);
    await vi.waitFor(() => expect(paused.term).toBe(1));
    // As long as the paused one believes that any lease can be.
    const other = start('paused', own, { ...TIMING, leaseMs: 2 * expiring.leaseMs });
    isPaused = true;
    await vi.waitFor(() => expect(other.term).toBe(2));
    isPaused = false;
    await vi.waitFor(() => expect(paused.term).toBe(null));
    expect(other.term).toBe(2);
    await Promise.all([paused.close(), other.close()]);
  });

  test('keeps its leader while the database is unavailable', async () => {
    const own = store();
    let isAway = false;
    const refusing = {
      ...own,
      hold: (...args: Parameters<typeof own.hold>) => (isAway ? Promise.reject(new Error('away')) : own.hold(...args)),
    };
    const leader = start('away', refusing, TIMING);
    await vi.waitFor(() => expect(leader.term).toBe(1));
    isAway = true;
    await wait(2 * TIMING.leaseMs);
    expect(leader.term).toBe(1);
    isAway = false;
    await leader.close();
  });
});
