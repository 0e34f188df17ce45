/** The sweep removes what can no longer be used, and nothing else. */
import { expect, test } from 'vitest';
import { startExpirySweep } from '../../server/backend/auth/expiry-sweep.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

const HOUR_MS = 60 * 60 * 1000;
const CHALLENGE = { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' };

// On one kind by day: both run the same deletes.
describeBothAtNight('expiry sweep', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const count = async (table: string) =>
    (await server().database.query(OWNER, `select count(*)::int as count from auth.${table}`))[0]?.count;

  test('removes codes after an hour and flows after a day', async () => {
    let offsetMs = 0;
    const clock = { nowMs: () => Date.now() + offsetMs };
    const sweepAfter = async (ms: number) => {
      offsetMs = ms;
      await startExpirySweep({ database: server().database, clock, log: testLog })();
      return [await count('one_time_tokens'), await count('flow_state')];
    };
    await post('/auth/v1/otp', { email: 'ada@example.com', ...CHALLENGE });

    const counts = [
      await sweepAfter(0),
      await sweepAfter(HOUR_MS - 60_000),
      await sweepAfter(HOUR_MS + 60_000),
      await sweepAfter(25 * HOUR_MS),
    ];

    expect(counts).toEqual([
      [1, 1],
      [1, 1],
      [0, 1],
      [0, 0],
    ]);
  });

  test('survives an unavailable database', async () => {
    const away = { ...server().database, query: () => Promise.reject(new Error('away')) };

    const stop = startExpirySweep({ database: away, clock: { nowMs: () => Date.now() }, log: testLog });

    await expect(stop()).resolves.toBeUndefined();
  });
});
