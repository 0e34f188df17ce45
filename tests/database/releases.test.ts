/** What the server knew of scheduled releases, and when. */
import { afterEach, expect, test } from 'vitest';
import { releaseStore } from '../../server/market/calendar/release-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.parse('2026-12-09T12:00:00Z');
const WEEK = { fromS: NOON_MS / 1000 - 3 * 86_400, toS: NOON_MS / 1000 + 5 * 86_400 };
const cpi = (inHours: number) => ({ timeS: (NOON_MS + inHours * HOUR_MS) / 1000, currency: 'USD', title: 'CPI m/m' });

describeEachDatabase('known releases', (kind) => {
  const opened = openedForTests(() => openTestDatabase(kind));
  const store = () => releaseStore(opened(), 'live');
  const learn = (atMs: number, ...rows: ReturnType<typeof cpi>[]) =>
    store().learnAll({ live: rows, covered: WEEK, planned: [] }, atMs);
  const knownAt = async (ms: number) => (await store().knownAt(ms)).map(({ timeS }) => timeS);
  afterEach(async () => {
    await opened().query(OWNER, 'delete from private.releases');
    await opened().query(OWNER, 'delete from private.release_weeks');
  });
  const readAt = async (ms: number, fromS: number, toS: number) => {
    const read = await store().readAt(ms, fromS, toS);
    return read && { ...read, releases: read.releases.map(({ timeS }) => timeS) };
  };

  test('keep what was known at each moment when a release is moved', async () => {
    await learn(NOON_MS, cpi(10));
    await learn(NOON_MS + HOUR_MS, cpi(30));

    expect(await knownAt(NOON_MS - 1)).toEqual([]);
    expect(await knownAt(NOON_MS + HOUR_MS - 1)).toEqual([cpi(10).timeS]);
    expect(await knownAt(NOON_MS + HOUR_MS)).toEqual([cpi(30).timeS]);
  });

  test('keep a release that is past, also when its source no longer lists it', async () => {
    await learn(NOON_MS, cpi(1));
    await learn(NOON_MS + 2 * HOUR_MS);

    expect(await knownAt(NOON_MS + 3 * HOUR_MS)).toEqual([cpi(1).timeS]);
  });

  test('drop a moved release also after the clock was set back', async () => {
    await learn(NOON_MS, cpi(10));
    await learn(NOON_MS - HOUR_MS, cpi(30));

    expect(await knownAt(NOON_MS + HOUR_MS)).toEqual([cpi(30).timeS]);
  });

  test('drop a release that was cancelled, and only within the time that the source speaks of', async () => {
    await learn(NOON_MS, cpi(10));
    const earlier = { fromS: 0, toS: cpi(10).timeS };
    await store().learnAll({ live: [], covered: earlier, planned: [] }, NOON_MS + HOUR_MS);
    expect(await knownAt(NOON_MS + HOUR_MS)).toEqual([cpi(10).timeS]);

    await learn(NOON_MS + 2 * HOUR_MS);
    expect(await knownAt(NOON_MS + 2 * HOUR_MS)).toEqual([]);
  });

  test('store each once, however often and by however many processes it is learnt, with its source', async () => {
    await Promise.all(Array.from({ length: 5 }, () => learn(NOON_MS, cpi(10), cpi(10))));
    await store().learnAll({ live: [cpi(10)], covered: WEEK, planned: [cpi(10)] }, NOON_MS);

    expect((await store().knownAt(NOON_MS)).map(({ source }) => source)).toEqual(['feed', 'schedule']);
    expect(await releaseStore(opened(), 'simulated').knownAt(NOON_MS)).toEqual([]);
  });

  test('are read for a moment and a time as a forecast of that moment read them', async () => {
    await learn(NOON_MS, cpi(10));
    await learn(NOON_MS + HOUR_MS, cpi(30));

    expect(await readAt(NOON_MS, cpi(10).timeS, cpi(10).timeS + 1)).toEqual({
      releases: [cpi(10).timeS],
      isComplete: true,
    });
    expect((await readAt(NOON_MS + HOUR_MS, cpi(10).timeS, cpi(31).timeS))?.releases).toEqual([cpi(30).timeS]);
    expect((await readAt(NOON_MS, cpi(9).timeS, cpi(10).timeS))?.releases).toEqual([]);
    expect(await readAt(NOON_MS - 1, cpi(10).timeS, cpi(10).timeS + 1)).toBeNull();
  });

  test('may miss some after the last week that the live calendar listed, and while it never answered', async () => {
    const isComplete = async (ms: number, fromS: number, toS: number) =>
      (await store().readAt(ms, fromS, toS))?.isComplete;
    await store().learnAll({ live: [], covered: { fromS: 0, toS: 0 }, planned: [] }, NOON_MS - HOUR_MS);
    await learn(NOON_MS);

    expect(await isComplete(NOON_MS - 1, cpi(1).timeS, cpi(2).timeS)).toBe(false);
    expect(await isComplete(NOON_MS, cpi(1).timeS, cpi(2).timeS)).toBe(true);
    expect(await isComplete(NOON_MS, WEEK.fromS, WEEK.toS)).toBe(true);
    expect(await isComplete(NOON_MS, WEEK.toS - 60, WEEK.toS + 1)).toBe(false);
    expect(await isComplete(NOON_MS, WEEK.fromS - 1, WEEK.toS)).toBe(false);
  });

  test('stay whole in a new week when a process still reads the file of the week before', async () => {
    const next = { fromS: WEEK.fromS + 7 * 86_400, toS: WEEK.toS + 7 * 86_400 };
    await learn(NOON_MS);
    await store().learnAll({ live: [], covered: next, planned: [] }, NOON_MS + HOUR_MS);
    await learn(NOON_MS + 2 * HOUR_MS);

    expect((await readAt(NOON_MS + 3 * HOUR_MS, next.fromS, next.toS))?.isComplete).toBe(true);
  });
});
