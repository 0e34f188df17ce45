/** What an account may change about itself, and which sessions that ends. */
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('accounts', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { statusOfUser } = authCalls(server);

  describe('account', () => {
    test('stores, merges and removes its data', async () => {
      const { client } = await server().user();
      await client.auth.updateUser({ data: { full_name: 'Ada', city: 'London' } });

      const { data, error } = await client.auth.updateUser({ data: { city: null, age: 36 } });

      expect(error).toBeNull();
      expect(data.user?.user_metadata).toEqual({ full_name: 'Ada', age: 36 });
    });

    test('changes its password and ends every other session immediately', async () => {
      const { client, email, password, accessToken } = await server().user();
      const other = server().visitor();
      const signIn = await other.auth.signInWithPassword({ email, password });
      const otherToken = signIn.data.session?.access_token ?? '';
      expect(await statusOfUser(otherToken)).toBe(200);

      const same = await client.auth.updateUser({ password });
      const { error } = await client.auth.updateUser({ password: 'Password2' });

      expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
      expect(error).toBeNull();
      expect(await statusOfUser(otherToken)).toBe(403);
      expect(await statusOfUser(accessToken)).toBe(200);
      expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
      const oldPassword = await server().visitor().auth.signInWithPassword({ email, password });
      const newPassword = await server().visitor().auth.signInWithPassword({ email, password: 'Password2' });
      expect([oldPassword.error?.code, newPassword.error]).toEqual(['invalid_credentials', null]);
    });

    test('leaves no session that the old password opened during the change', async () => {
      const { client, email, password } = await server().user();
      const signIns = [0, 30, 60, 90, 120].map(async (delayMs) => {
        await new Promise((settle) => setTimeout(settle, delayMs));
        const { data } = await server().visitor().auth.signInWithPassword({ email, password });
        return data.session?.access_token ?? null;
      });

      const { error } = await client.auth.updateUser({ password: 'Password3' });
      const opened = (await Promise.all(signIns)).filter((token) => token !== null);

      expect(error).toBeNull();
      expect(await Promise.all(opened.map(statusOfUser))).toEqual(opened.map(() => 403));
    });

    test('refuses data that a header cannot hold', async () => {
      const { client } = await server().user();

      const { error } = await client.auth.updateUser({ data: { note: 'x'.repeat(5000) } });

      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test.each<['global' | 'local' | 'others', number, number]>([
      ['global', 403, 403],
      ['local', 403, 200],
      ['others', 200, 403],
    ])('signs out with scope %s: this session answers %i, another %i', async (scope, mine, another) => {
      const { client, email, password, accessToken } = await server().user();
      const signIn = await server().visitor().auth.signInWithPassword({ email, password });
      const otherToken = signIn.data.session?.access_token ?? '';
      expect(await statusOfUser(accessToken)).toBe(200);
      expect(await statusOfUser(otherToken)).toBe(200);

      const { error } = await client.auth.signOut({ scope });

      expect(error).toBeNull();
      expect(await statusOfUser(accessToken)).toBe(mine);
      expect(await statusOfUser(otherToken)).toBe(another);
    });

    test('refuses a signed-out token on tables and in our own functions', async () => {
      const { client, accessToken } = await server().user();
      const sessionId = String(decodeJwt(accessToken).session_id);
      expect(await server().verifier.isSessionLive(sessionId)).toBe(true);

      await client.auth.signOut();

      expect(await server().verifier.isSessionLive(sessionId)).toBe(false);
      const answer = await server().request('/rest/v1/any', { headers: { authorization: `Bearer ${accessToken}` } });
      expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([401, true]);
    });

    test('refuses an expired token', async () => {
      const { accessToken } = await server().user();
      server().advance(3601 * 1000);

      expect(await statusOfUser(accessToken)).toBe(403);
    });
  });
});
