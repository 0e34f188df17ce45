/** Refresh tokens: rotation, simultaneous exchanges and reuse. */
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

const TEN_SECONDS_MS = 10_000;

// Runs on both databases, because row locks decide which exchange wins.
describeEachDatabase('accounts', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post, refresh, signedIn, statusOfUser } = authCalls(server);

  describe('refresh', () => {
    test('rotates the token and keeps the session', async () => {
      const { client, accessToken, refreshToken } = await signedIn();

      const { data, error } = await client.auth.refreshSession();

      expect(error).toBeNull();
      expect(data.session?.refresh_token).not.toBe(refreshToken);
      expect(decodeJwt(data.session?.access_token ?? '').session_id).toBe(decodeJwt(accessToken).session_id);
    });

    test('returns one live token to five simultaneous exchanges', async () => {
      const { refreshToken, id } = await signedIn();

      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => refresh(refreshToken)));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      const live = await server().database.query(
        OWNER,
        'select 1 from auth.refresh_tokens where user_id = $1 and used_at is null and not revoked',
        [id],
      );
      expect(live).toHaveLength(1);
    });

    test('returns the live token for an old one within the window, across several exchanges', async () => {
      const { refreshToken } = await signedIn();
      const second = await refresh(refreshToken);
      const third = await refresh(String(second.body.refresh_token));

      const again = await refresh(refreshToken);

      expect(again.status).toBe(200);
      expect(again.body.refresh_token).toBe(third.body.refresh_token);
    });

    test('ends the token family and its session when an old token is reused after the window', async () => {
      const { refreshToken } = await signedIn();
      const second = await refresh(refreshToken);
      expect(await statusOfUser(String(second.body.access_token))).toBe(200);
      server().advance(TEN_SECONDS_MS + 1000);

      const reuse = await refresh(refreshToken);

      expect(reuse).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used', code: 400 } });
      expect(await refresh(String(second.body.refresh_token))).toMatchObject({
        status: 400,
        body: { error_code: 'refresh_token_already_used' },
      });
      expect(await statusOfUser(String(second.body.access_token))).toBe(403);
    });

    test('survives a simultaneous sign-out, after which every token is refused', async () => {
      const users = await Promise.all([1, 2, 3, 4].map(() => signedIn()));

      const statuses = await Promise.all(
        users.flatMap(({ refreshToken, accessToken }) => [
          ...[1, 2, 3].map(async () => (await refresh(refreshToken)).status),
          post('/auth/v1/logout', {}, { authorization: `Bearer ${accessToken}` }).then((answer) => answer.status),
        ]),
      );

      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const after = await Promise.all(users.map(({ refreshToken }) => refresh(refreshToken)));
      expect(after.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    });

    test('stores only the hash of a token', async () => {
      const { refreshToken } = await signedIn();

      const rows = await server().database.query(OWNER, 'select token_hash from auth.refresh_tokens');

      expect(JSON.stringify(rows)).not.toContain(refreshToken);
      expect(rows.every((row) => /^[0-9a-f]{64}$/.test(String(row.token_hash)))).toBe(true);
    });

    test('rejects an unknown token', async () => {
      expect(await refresh('made-up')).toMatchObject({ status: 400, body: { error_code: 'refresh_token_not_found' } });
    });
  });
});
