import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SqlSession } from '../sql/sql-session.ts';
import { sessionPool } from './session-pool.ts';

const MAX_WAIT_MS = 20;

function aSession(isBroken = false): SqlSession {
  return { isBroken, send: async () => ({ rows: [], command: '' }), destroy: () => {}, end: async () => {} };
}

test('whoever waits while a session is opened in place of a broken one gets it, however long that takes, and gives it back', async () => {
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
  // Its place is free: neither the next caller nor the end waits for ever.
  expect(await pool.use(async (session) => session)).toBe(opened[1]);
  await pool.end();
});

test('a place in the queue is given up after a while', async () => {
  const pool = sessionPool({ size: 1, maxWaitMs: MAX_WAIT_MS, open: async () => aSession() });
  const held = Promise.withResolvers<void>();
  const work = pool.use(() => held.promise);

  await expect(pool.use(async () => {})).rejects.toMatchObject({ code: 'database/busy' });

  held.resolve();
  await work;
  await pool.end();
});
