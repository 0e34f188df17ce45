/** A banned account loses all its sessions, in the auth service and in every other one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type BackendTestServer, backendTestServer, JSON_TYPE } from './support/backend.ts';

describeOneDatabase('a banned account', (kind) => {
  let server: BackendTestServer;

  beforeAll(async () => {
    server = await backendTestServer(kind);
  });

  afterAll(() => server?.close());

  const banUntil = (id: string, until: string | null) =>
    server.database.query(
      OWNER,
      'update auth.users set banned_until = $2::text::timestamptz where id = $1::text::uuid',
      [id, until],
    );

  async function signedIn() {
    const user = await server.user();
    const authorization = `Bearer ${user.accessToken}`;
    const put = () =>
      server.request('/auth/v1/user', {
        method: 'PUT',
        headers: { ...JSON_TYPE, authorization },
        body: JSON.stringify({ data: { note: 'still here' } }),
      });
    const profile = () => server.request('/rest/v1/profiles?select=id', { headers: { authorization } });
    return { ...user, put, profile };
  }

  test('is refused in its open session, on tables too', async () => {
    const { id, put, profile } = await signedIn();
    await banUntil(id, '2999-01-01T00:00:00Z');

    const changed = await put();
    const read = await profile();

    expect(await changed.json()).toMatchObject({ code: 403, error_code: 'user_banned', msg: 'User is banned' });
    expect(read.status).toBe(401);
  });

  test('is refused at sign-in with its password', async () => {
    const { id, email, password } = await signedIn();
    await banUntil(id, '2999-01-01T00:00:00Z');

    const { error } = await server.visitor().auth.signInWithPassword({ email, password });

    expect(error).toMatchObject({ status: 400, code: 'user_banned' });
  });

  test('can use its session again once the ban is over', async () => {
    const { id, put, profile } = await signedIn();
    await banUntil(id, new Date(server.clock.nowMs() - 1000).toISOString());

    expect((await put()).status).toBe(200);
    expect((await profile()).status).toBe(200);
  });

  test('cannot refresh its session', async () => {
    const { id, client } = await signedIn();
    await banUntil(id, '2999-01-01T00:00:00Z');

    const { error } = await client.auth.refreshSession();

    expect(error).toMatchObject({ status: 400, code: 'user_banned' });
  });
});
