import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sessionPool } from './session-pool.ts';
import type { SqlSession } from './sql/sql-session.ts';

const MAX_WAIT_MS = 20;

function aSession(isBroken = false): SqlSession {
  return {
    isBroken,
    send: async () => ({ rows: [], command: '' }),
    sendTogether: async () => [],
    destroy: () => {},
    end: async () => {},
  };
}

test('gives a waiting caller the replacement of a broken session, however long it takes to open', async () => {
  const opened: SqlSession[] = [];
  const pool = sessionPool({
    size: 1,
    maxWaitMs: MAX_WAIT_MS,
    async open() {
      if (opened.length > 0) await sleep(3 * MAX_WAIT_MS);
      const session = aSession(opened.length === 0);
      opened.push(session);
      return session;
    },
  });

  const breaking = pool.use(async () => {});
  const waiting = pool.use(async (session) => session);
  await breaking;

  expect(await waiting).toBe(opened[1]);
  // The place is free again, so neither the next caller nor the end waits forever.
  expect(await pool.use(async (session) => session)).toBe(opened[1]);
  await pool.end();
});

test('rejects a queued caller after the maximum wait', async () => {
  const pool = sessionPool({ size: 1, maxWaitMs: MAX_WAIT_MS, open: async () => aSession() });
  const held = Promise.withResolvers<void>();
  const work = pool.use(() => held.promise);

  await expect(pool.use(async () => {})).rejects.toMatchObject({ code: 'database/busy' });

  held.resolve();
  await work;
  await pool.end();
});

test('notifies listeners when a queued caller got its session', async () => {
  const pool = sessionPool({ size: 1, maxWaitMs: MAX_WAIT_MS, open: async () => aSession() });
  const waiting: number[] = [];
  pool.onQueueMoved(() => waiting.push(pool.state().waiting));

  await pool.use(async () => {});
  await Promise.all([pool.use(async () => {}), pool.use(async () => {}), pool.use(async () => {})]);

  expect(waiting).toEqual([1, 0]);
  await pool.end();
});
