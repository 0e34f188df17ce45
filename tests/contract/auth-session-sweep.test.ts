/**
 * Ended sessions and refresh tokens are removed in time; those in use, and those that reveal a thief, are retained.
 */
import { expect, test } from 'vitest';
import { startExpirySweep } from '../../server/backend/auth/expiry-sweep.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

// On one kind by day: both run the same deletes.
describeBothAtNight('session sweep', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { refresh, signedIn } = authCalls(server);

  const sweep = () => startExpirySweep({ database: server().database, clock: server().clock, log: testLog })();
  async function rowsOf(userId: string) {
    const [row] = await server().database.query(
      OWNER,
      `select (select count(*)::int from auth.sessions where user_id = $1::text::uuid) as sessions,
         (select count(*)::int from auth.refresh_tokens where user_id = $1::text::uuid) as tokens`,
      [userId],
    );
    return row;
  }

  test('removes a session unused for 91 days, but not one unused for 89', async () => {
    const { id, refreshToken } = await signedIn();
    server().advance(89 * DAY_MS);
    await sweep();
    const returned = await refresh(refreshToken);
    server().advance(91 * DAY_MS);

    await sweep();

    expect(returned.status).toBe(200);
    expect(await rowsOf(id)).toEqual({ sessions: 0, tokens: 0 });
    expect((await refresh(String(returned.body.refresh_token))).body.error_code).toBe('refresh_token_not_found');
  });

  test('removes used tokens of a live session after 31 days, but not after 29', async () => {
    const { id, refreshToken } = await signedIn();
    const second = await refresh(refreshToken);
    server().advance(29 * DAY_MS);
    await sweep();
    const known = await rowsOf(id);
    server().advance(2 * DAY_MS);

    await sweep();

    expect(known).toEqual({ sessions: 1, tokens: 2 });
    expect(await rowsOf(id)).toEqual({ sessions: 1, tokens: 1 });
    expect((await refresh(refreshToken)).body.error_code).toBe('refresh_token_not_found');
    expect((await refresh(String(second.body.refresh_token))).status).toBe(200);
  });

  test('removes more used tokens in one sweep than one statement takes', async () => {
    const { id } = await signedIn();
    await server().database.query(
      OWNER,
      `insert into auth.refresh_tokens (token_hash, user_id, session_id, revoked, used_at)
       select 'of a page that stays open ' || n, s.user_id, s.id, true, to_timestamp($2::float8 / 1000)
         from auth.sessions s, generate_series(1, 5001) n where s.user_id = $1::text::uuid`,
      [id, server().clock.nowMs() - 31 * DAY_MS],
    );

    // A statement that a busy database cancels is repeated by the next run.
    const sweeps = { database: server().database, clock: server().clock, log: testLog, intervalMs: 200 };
    const stop = startExpirySweep(sweeps);

    await expect.poll(() => rowsOf(id)).toEqual({ sessions: 1, tokens: 1 });
    await stop();
  });

  test('detects reuse of a revoked token family for 29 days, and removes it after 31', async () => {
    const { id, refreshToken } = await signedIn();
    await refresh(refreshToken);
    server().advance(60_000);
    await refresh(refreshToken);
    server().advance(29 * DAY_MS);
    await sweep();
    const later = await refresh(refreshToken);
    server().advance(2 * DAY_MS);

    await sweep();

    expect(later.body.error_code).toBe('refresh_token_already_used');
    expect(await rowsOf(id)).toEqual({ sessions: 0, tokens: 0 });
  });
});
