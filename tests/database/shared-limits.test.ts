/** What many processes count together: attempts of a key, open streams of a user. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { type StreamPlace, sharedStreamSlots, streamSlotStore } from '../../server/forecast/stream/stream-slots.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { rateCountStore } from '../../server/platform/http/guards/rate-count-store.ts';
import { sharedRateLimiters } from '../../server/platform/http/guards/shared-rate-limit.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

/** Whole seconds left of a minute that began some statements ago: fewer on a busy machine. */
const leftOfMinute = expect.toSatisfy((seconds: unknown) => Number(seconds) > 0 && Number(seconds) <= 60);

// Runs on both kinds, because simultaneous counters race for locks.
describeEachDatabase('counts shared by processes', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  /** As one process holds it. */
  const limiter = (name: string, points = 5, store = rateCountStore(database())) =>
    sharedRateLimiters({ store, secret: 'of the site', log: testLog })({ points, perS: 60 }, name);
  const isRefused = (work: Promise<unknown>) =>
    work.then(
      () => false,
      (error: unknown) => error instanceof AppError && error.code === 'request/too-many',
    );

  test('allow a key its five attempts over all processes, even simultaneously', async () => {
    const [a, b] = [limiter('tries'), limiter('tries')];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) => isRefused((i % 2 === 0 ? a : b).consume('ada'))),
    );
    expect(outcomes.filter((refused) => !refused)).toHaveLength(5);
    expect(await a.consume('ben')).toEqual({ left: 4, resetS: 60 });
    const refusal = await b.consume('ada').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'request/too-many', details: { retryAfterS: leftOfMinute } });
    expect(await isRefused(limiter('other').consume('ada'))).toBe(false);
  });

  test('do not lock a key out after the clock was set back', async () => {
    const here = limiter('set-back', 1);
    await here.consume('ada');
    expect(await isRefused(here.consume('ada'))).toBe(true);
    const future = "update private.rate_counts set ends_at = ends_at + interval '1 hour' where limit_name = 'set-back'";
    await database().query(OWNER, future);

    expect(await here.consume('ada')).toEqual({ left: 0, resetS: 60 });
  });

  test('reach every process when an attempt is given back or forgiven', async () => {
    const [a, b] = [limiter('back', 1), limiter('back', 1)];
    await a.consume('ada');
    await b.giveBack('ada');
    await b.giveBack('nobody');
    await a.consume('ada');
    await b.forgive('ada');
    await a.consume('ada');
    expect(await isRefused(b.consume('ada'))).toBe(true);
  });

  test('reach every process when bytes are given back', async () => {
    const [a, b] = [limiter('bytes', 100), limiter('bytes', 100)];
    await a.consume('ada', 90);
    expect(await isRefused(b.consume('ada', 20))).toBe(true);
    await b.giveBack('ada', 20);
    expect(await b.consume('ada', 10)).toEqual({ left: 0, resetS: leftOfMinute });
  });

  test('count nothing of what is refused as a whole, even simultaneously', async () => {
    const [a, b] = [limiter('whole', 10), limiter('whole', 10)];
    expect(await isRefused(a.take('ada', 11))).toBe(true);
    const mixed = Array.from({ length: 16 }, (_, i) =>
      isRefused((i % 2 === 0 ? a : b).take('ada', i % 4 < 2 ? 11 : 2)),
    );
    const refused = await Promise.all(mixed);

    // Eight requests of eleven points never fit; of eight with two points, five do.
    expect(refused.filter((one, i) => i % 4 < 2 && !one)).toEqual([]);
    expect(refused.filter((one, i) => i % 4 >= 2 && !one)).toHaveLength(5);
    const refusal = await b.take('ada', 1).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'request/too-many', details: { retryAfterS: leftOfMinute } });
    await database().query(OWNER, "update private.rate_counts set ends_at = now() where limit_name = 'whole'");
    expect(await a.take('ada', 10)).toEqual({ left: 0, resetS: 60 });
  });

  test('start afresh after their time, and old rows are deleted', async () => {
    const own = limiter('past', 1);
    await own.consume('ada');
    await database().query(OWNER, `update private.rate_counts set ends_at = now() where limit_name = 'past'`);
    await own.consume('ada');
    expect(await isRefused(own.consume('ada'))).toBe(true);
    await database().query(OWNER, `update private.rate_counts set ends_at = now() where limit_name = 'past'`);
    expect(await rateCountStore(database()).removeOld()).toBe(1);
  });

  test('store no address', async () => {
    await limiter('secret').consume('203.0.113.7');
    const rows = await database().query(OWNER, `select key::text from private.rate_counts where limit_name = 'secret'`);
    expect(rows).toEqual([{ key: expect.stringMatching(/^\\x[0-9a-f]{32}$/) }]);
  });

  test('continue within a process while the database is unavailable', async () => {
    const away = () => Promise.reject(new AppError('database/unavailable'));
    const own = limiter('away', 2, { add: away, giveBack: away, forget: away, removeOld: away, take: away });
    await own.consume('ada');
    await own.giveBack('ada');
    await own.consume('ada');
    await own.consume('ada');
    expect(await isRefused(own.consume('ada'))).toBe(true);
    await own.forgive('ada');
    await own.consume('ada');
  });

  test('allow a user three open streams over all processes, even simultaneously', async () => {
    const user = randomUUID();
    const processes = [1, 2].map(() => sharedStreamSlots(streamSlotStore(database())));
    const open = async (process: number, userId = user): Promise<StreamPlace> => {
      const place = processes[process]?.take(userId);
      if (place === undefined) throw new Error('no such process');
      await place.confirm().catch(async (error) => {
        await place.giveBack();
        throw error;
      });
      return place;
    };
    const opened = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => open(i % 2)));
    const taken = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(3);
    await taken[0]?.giveBack();
    await taken[0]?.giveBack();
    await open(1);
    await expect(open(0)).rejects.toMatchObject({ details: { openStreams: 3, retryAfterS: 5 } });
    await open(0, randomUUID());
  });

  test("free a killed process's streams after half a minute", async () => {
    const user = randomUUID();
    const [killed, next] = [1, 2].map(() => sharedStreamSlots(streamSlotStore(database())));
    for (let i = 0; i < 3; i++) await killed?.take(user).confirm();
    const [row] = await database().query<{ left_s: number }>(
      OWNER,
      'select max(extract(epoch from ends_at - now()))::float8 as left_s from private.open_streams where user_id = $1::text::uuid',
      [user],
    );
    expect(row?.left_s).toBeLessThanOrEqual(30);
    await database().query(OWNER, 'update private.open_streams set ends_at = now()');
    await next?.take(user).confirm();
    expect(await streamSlotStore(database()).removeOld()).toBeGreaterThanOrEqual(2);
    const [left] = await database().query(
      OWNER,
      'select count(*)::int as places from private.open_streams where user_id = $1::text::uuid',
      [user],
    );
    expect(left).toEqual({ places: 1 });
  });
});
