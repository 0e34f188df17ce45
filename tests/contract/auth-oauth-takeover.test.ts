/** A sign-in in progress while the owner takes the account over leaves no session for the user who began it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentitySandbox, startIdentitySandbox } from '../../sandbox/identity/identity-sandbox.ts';
import { endAccess } from '../../server/backend/auth/accounts/account-access.ts';
import { lockAccount } from '../../server/backend/auth/user-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { authCalls } from './support/auth/auth.ts';
import { pkceClient, providersOf, startOf, testBrowser } from './support/auth/oauth.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';

describeOneDatabase('sign-in in progress', (kind) => {
  let sandbox: IdentitySandbox;
  let server: BackendTestServer;
  const { post } = authCalls(() => server);

  beforeAll(async () => {
    sandbox = await startIdentitySandbox();
    server = await backendTestServer(kind, { accounts: { providers: providersOf(sandbox) } });
  });

  afterAll(async () => {
    await server?.close();
    await sandbox?.close();
  });

  /** Creates an account with an unproven address, and a code that can be exchanged for a session of it. */
  async function waitingCode(email: string) {
    const client = pkceClient(server);
    const start = await startOf(client, 'github', `${server.url}/auth/callback`);
    const end = await testBrowser(server.url).signIn(start, { email, isVerified: false });
    const rows = await server.database.query<{ id: string }>(
      OWNER,
      'select id::text as id from auth.users where email = $1::text',
      [email],
    );
    return { client, code: end.searchParams.get('code') ?? '', userId: rows[0]?.id ?? '' };
  }

  const sessionsOf = (userId: string) =>
    server.database.query(OWNER, 'select 1 from auth.sessions where user_id = $1::text::uuid', [userId]);

  test('waits for the takeover and finds its code deleted', async () => {
    const email = 'squatted@example.com';
    const { client, code, userId } = await waitingCode(email);
    const now = new Date(server.clock.nowMs()).toISOString();
    let exchange: ReturnType<typeof client.auth.exchangeCodeForSession> | null = null;

    await server.database.transaction(OWNER, async (tx) => {
      await lockAccount(tx, userId, now);
      exchange = client.auth.exchangeCodeForSession(code);
      await tx.query('select pg_sleep(0.3)', []);
      await endAccess(tx, 'first-proof', { userId, email }, now);
    });

    expect(await exchange).toMatchObject({ error: { status: 404, code: 'flow_state_not_found' } });
    expect(await sessionsOf(userId)).toEqual([]);
  });

  test('spends its code with a wrong verifier or a banned account, and opens no session', async () => {
    const wrong = await waitingCode('wrong.verifier@example.com');
    const banned = await waitingCode('banned.meanwhile@example.com');
    await server.database.query(OWNER, `update auth.users set banned_until = '2999-01-01' where id = $1::text::uuid`, [
      banned.userId,
    ]);

    const guess = await post('/auth/v1/token?grant_type=pkce', {
      auth_code: wrong.code,
      code_verifier: 'v'.repeat(50),
    });
    const right = await wrong.client.auth.exchangeCodeForSession(wrong.code);
    const refused = await banned.client.auth.exchangeCodeForSession(banned.code);

    expect(await guess.json()).toMatchObject({ code: 400, error_code: 'bad_code_verifier' });
    expect(right.error).toMatchObject({ status: 404, code: 'flow_state_not_found' });
    expect(refused.error).toMatchObject({ status: 400, code: 'user_banned' });
    const left = await server.database.query(
      OWNER,
      'select 1 from auth.flow_state where user_id = any($1::text[]::uuid[])',
      [[wrong.userId, banned.userId]],
    );
    expect(left).toEqual([]);
    expect(await sessionsOf(wrong.userId)).toEqual([]);
    expect(await sessionsOf(banned.userId)).toEqual([]);
  });
});
