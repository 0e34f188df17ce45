/** Scheduled jobs: one process runs each at a time, and another takes over a killed one's work. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { type JobStore, jobStore, jobsOf } from '../../server/platform/processes/job-store.ts';
import { type Job, type JobOptions, startJob } from '../../server/platform/processes/schedule.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;

// Runs on both kinds, because processes that claim a lease at the same moment race for its row.
describeEachDatabase('jobs', (kind) => {
  const opened = openedForTests(async () => {
    const database = await openTestDatabase(kind);
    return { database, store: jobStore(database), close: () => database.close() };
  });
  const store = (): JobStore => opened().store;
  const database = (): Database => opened().database;
  const aName = (): string => `test:${randomUUID()}`;
  const change = (name: string, set: string) =>
    database().query(OWNER, `update private.jobs set ${set} where name = $1::text`, [name]);
  const rowOf = async (name: string) => {
    const [row] = await database().query(OWNER, 'select * from private.jobs where name = $1::text', [name]);
    return row;
  };

  describe('a lease', () => {
    test('goes to one of eight simultaneous claims', async () => {
      const name = aName();

      const waits = await Promise.all(Array.from({ length: 8 }, () => store().claim(name, randomUUID(), LEASE_MS)));

      expect(waits.filter((wait) => wait === null)).toHaveLength(1);
    });

    test("keeps others out until it ends, after which a killed holder's job is due", async () => {
      const name = aName();
      await store().claim(name, randomUUID(), LEASE_MS);

      const waitMs = await store().claim(name, randomUUID(), LEASE_MS);
      expect(waitMs).toBeGreaterThan(LEASE_MS / 2);
      expect(waitMs).toBeLessThanOrEqual(LEASE_MS);
      await change(name, "lease_ends_at = now() - interval '1 second'");

      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('keeps no one out when it dates from before the clock was set back', async () => {
      const name = aName();
      await store().claim(name, randomUUID(), LEASE_MS);
      await change(name, "lease_ends_at = now() + interval '1 hour'");

      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('changes nothing after its end, when the job belongs to another', async () => {
      const name = aName();
      const [killed, next] = [randomUUID(), randomUUID()];
      await store().claim(name, killed, LEASE_MS);
      await change(name, "lease_ends_at = now() - interval '1 second'");
      await store().claim(name, next, LEASE_MS);

      await store().finish(name, killed, { nextInMs: HOUR_MS, error: null });
      await store().release(name, killed);

      expect(await rowOf(name)).toMatchObject({ holder: next, runs: 0 });
    });

    test('leaves the job its next time for every process', async () => {
      const name = aName();
      const holder = randomUUID();
      await store().claim(name, holder, LEASE_MS);

      await store().finish(name, holder, { nextInMs: HOUR_MS, error: null });

      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBeGreaterThan(HOUR_MS - 60_000);
      expect(await rowOf(name)).toMatchObject({ holder: null, runs: 1, failures: 0, last_error: null });
      await change(name, 'next_due_at = now()');
      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('is due immediately when the clock was set back since the last run', async () => {
      const name = aName();
      const holder = randomUUID();
      await store().claim(name, holder, LEASE_MS);
      await store().finish(name, holder, { nextInMs: 60_000, error: null });
      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBeGreaterThan(0);

      await change(name, "ended_at = ended_at + interval '1 hour', next_due_at = next_due_at + interval '1 hour'");

      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('stores the last error truncated until a run succeeds', async () => {
      const name = aName();
      for (const error of ['x'.repeat(500), 'venue/unavailable']) {
        const holder = randomUUID();
        await store().claim(name, holder, LEASE_MS);
        await store().finish(name, holder, { nextInMs: 0, error });
      }
      expect(await rowOf(name)).toMatchObject({ failures: 2, last_error: 'venue/unavailable', last_ok_at: null });

      const holder = randomUUID();
      await store().claim(name, holder, LEASE_MS);
      await store().finish(name, holder, { nextInMs: 0, error: null });

      expect(await rowOf(name)).toMatchObject({ failures: 0, last_error: null, runs: 3 });
    });
  });

  describe('a job', () => {
    const jobs: Job[] = [];
    function start(options: Partial<JobOptions> & Pick<JobOptions, 'name' | 'run'>): Job {
      const job = startJob({ periodMs: 20, checkMs: 20, store: store(), log: testLog, ...options });
      jobs.push(job);
      return job;
    }
    const closeAll = () => Promise.all(jobs.splice(0).map((job) => job.close()));

    test('belongs to its process from start to end', async () => {
      const [name, otherName] = [aName(), aName()];
      const [job, other] = [name, otherName].map((one) => start({ name: one, run: async () => undefined }));
      expect([...jobsOf(opened().database)]).toEqual(expect.arrayContaining([name, otherName]));
      await job?.close();
      expect(jobsOf(opened().database).has(name)).toBe(false);
      await other?.close();
    });

    test('never runs twice at the same time, and continues when its process stops', async () => {
      const name = aName();
      const runs: number[] = [];
      let running = 0;
      let most = 0;
      const processes = [0, 1, 2].map((one) =>
        start({
          name,
          run: async () => {
            running += 1;
            most = Math.max(most, running);
            runs.push(one);
            await new Promise((resolve) => setTimeout(resolve, 5));
            running -= 1;
            return undefined;
          },
        }),
      );
      await vi.waitFor(() => expect(runs.length).toBeGreaterThan(3));

      await processes[0]?.close();
      await processes[1]?.close();
      const before = runs.length;

      await vi.waitFor(() => expect(runs.length).toBeGreaterThan(before + 1));
      expect(runs.slice(before + 1)).not.toContain(0);
      expect(most).toBe(1);
      await closeAll();
    });

    test('runs again after a failure, and waits for a Retry-After', async () => {
      const [failing, patient] = [aName(), aName()];
      let failures = 0;
      let runs = 0;
      start({
        name: failing,
        run: () => {
          failures += 1;
          throw new Error('with a secret in its text');
        },
      });
      start({
        name: patient,
        run: async () => {
          runs += 1;
          throw new AppError('venue/unavailable', { details: { retryAfterS: 3600 } });
        },
      });

      await vi.waitFor(() => expect(failures).toBeGreaterThan(2));
      await closeAll();

      expect(runs).toBe(1);
      expect(await rowOf(failing)).toMatchObject({ last_error: 'Error' });
      expect(await store().claim(patient, randomUUID(), LEASE_MS)).toBeGreaterThan(3_500_000);
    });

    test('may set its next time', async () => {
      const name = aName();
      let runs = 0;
      start({
        name,
        run: async () => {
          runs += 1;
          return { nextInMs: HOUR_MS };
        },
      });

      await vi.waitFor(async () => expect(await rowOf(name)).toMatchObject({ runs: 1 }));

      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBeGreaterThan(HOUR_MS - 60_000);
      await closeAll();
      expect(runs).toBe(1);
    });

    test('is aborted by closing, and immediately free for another process', async () => {
      const name = aName();
      const begun = Promise.withResolvers<void>();
      const ended: unknown[] = [];
      const job = start({
        name,
        run: (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              ended.push(signal.reason);
              reject(signal.reason);
            });
            begun.resolve();
          }),
      });
      await begun.promise;

      await job.close();

      expect(ended).toHaveLength(1);
      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('does not run when closed while being claimed, and is free for another process', async () => {
      const name = aName();
      const claiming = Promise.withResolvers<void>();
      const taken = Promise.withResolvers<void>();
      let runs = 0;
      const job = startJob({
        name,
        periodMs: HOUR_MS,
        log: testLog,
        store: {
          ...store(),
          claim: async (...args) => {
            const waitMs = await store().claim(...args);
            claiming.resolve();
            await taken.promise;
            return waitMs;
          },
        },
        run: async () => {
          runs += 1;
          return undefined;
        },
      });
      await claiming.promise;

      const closed = job.close();
      taken.resolve();
      await closed;

      expect(runs).toBe(0);
      expect(await store().claim(name, randomUUID(), LEASE_MS)).toBe(null);
    });

    test('is aborted after its time limit and counted as failed', async () => {
      const name = aName();
      start({
        name,
        limitMs: 30,
        run: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      });

      await vi.waitFor(async () => expect(await rowOf(name)).toMatchObject({ last_error: 'TimeoutError' }));
      await closeAll();
    });
  });
});
