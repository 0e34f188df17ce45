/** The devices of an account are listed, and signed out one at a time. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { accountTestServer, functionCalls } from './support/auth/account.ts';
import { authCalls } from './support/auth/auth.ts';

const idOf = (accessToken: string) => String(decodeJwt(accessToken).session_id);

describeBothAtNight('signed-in devices', (kind) => {
  const server = openedForTests(() => accountTestServer(kind));
  const call = functionCalls(server);
  const { refresh, signedIn, statusOfUser } = authCalls(server);

  async function secondDevice(account: { email: string; password: string }) {
    const client = server().visitor();
    const { data, error } = await client.auth.signInWithPassword({ email: account.email, password: account.password });
    if (error) throw error;
    const { access_token: accessToken, refresh_token: refreshToken } = data.session;
    return { client, accessToken, refreshToken, sessionId: idOf(accessToken) };
  }

  test('lists devices through the client library, last used first, with the current one marked', async () => {
    const account = await signedIn();
    server().advance(1000);
    const other = await secondDevice(account);
    server().advance(1000);
    await account.client.auth.refreshSession();

    const { data, error } = await other.client.functions.invoke('list-sessions', { body: {} });

    expect(error).toBeNull();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shown = { created_at: at, last_used_at: at, ip: expect.stringMatching(/\d/), aal: 'aal1' };
    expect(data).toEqual({
      ok: true,
      sessions: [
        { id: idOf(account.accessToken), user_agent: expect.any(String), is_current: false, ...shown },
        { id: other.sessionId, user_agent: expect.any(String), is_current: true, ...shown },
      ],
    });
    expect(data.sessions[0].last_used_at > data.sessions[0].created_at).toBe(true);
    expect(data.sessions[1].last_used_at).toBe(data.sessions[1].created_at);
  });

  test('does not list other users’ devices or ended sessions', async () => {
    const account = await signedIn();
    await signedIn();
    const stolen = await secondDevice(account);
    await refresh(stolen.refreshToken);
    server().advance(11_000);
    await refresh(stolen.refreshToken);

    const { sessions } = await call(account.accessToken, 'list-sessions');

    expect(sessions).toMatchObject([{ id: idOf(account.accessToken) }]);
  });

  test('signs a device out immediately: rejects its access token and its refresh token', async () => {
    const account = await signedIn();
    const other = await secondDevice(account);
    expect(await call(other.accessToken, 'whoami')).toMatchObject({ status: 200 });

    const { data } = await account.client.functions.invoke('end-session', { body: { session_id: other.sessionId } });

    expect(data).toEqual({ ok: true });
    expect(await call(other.accessToken, 'whoami')).toMatchObject({ status: 401, code: 'auth/session-ended' });
    expect(await statusOfUser(other.accessToken)).toBe(403);
    expect((await refresh(other.refreshToken)).body).toMatchObject({ error_code: 'refresh_token_not_found' });
    expect((await call(account.accessToken, 'list-sessions')).sessions).toHaveLength(1);
    expect((await account.client.auth.getUser()).error).toBeNull();
  });

  test('refuses to end the current session, another account’s, an unknown one and an invalid id', async () => {
    const account = await signedIn();
    const stranger = await signedIn();
    const end = (sessionId: string) => call(account.accessToken, 'end-session', { session_id: sessionId });

    expect(await end(idOf(account.accessToken).toUpperCase())).toMatchObject({
      status: 200,
      ok: false,
      reason: 'account/current-session',
    });
    for (const id of [idOf(stranger.accessToken), '00000000-0000-4000-8000-000000000000'])
      expect(await end(id)).toMatchObject({ status: 200, ok: false, reason: 'account/no-such-session' });
    expect(await end("'; drop table auth.sessions; --")).toMatchObject({ status: 400, code: 'request/invalid' });
    expect((await stranger.client.auth.getUser()).error).toBeNull();
  });

  test('ends a session that is refreshed while it is signed out', async () => {
    for (let round = 0; round < 4; round += 1) {
      const account = await signedIn();
      const other = await secondDevice(account);

      const [ended, refreshed] = await Promise.all([
        call(account.accessToken, 'end-session', { session_id: other.sessionId }),
        refresh(other.refreshToken),
      ]);

      expect(ended).toMatchObject({ ok: true });
      const token = refreshed.status === 200 ? String(refreshed.body.access_token) : other.accessToken;
      expect(await call(token, 'whoami')).toMatchObject({ status: 401 });
      const next = refreshed.status === 200 ? String(refreshed.body.refresh_token) : other.refreshToken;
      expect((await refresh(next)).status).toBe(400);
    }
  });

  test('refuses callers who are not signed in', async () => {
    for (const name of ['list-sessions', 'end-session', 'recovery-codes', 'recover-second-factor']) {
      const answer = await server().request(`/functions/v1/${name}`, { method: 'POST', body: '{}' });
      expect([name, answer.status]).toEqual([name, 401]);
    }
  });
});
