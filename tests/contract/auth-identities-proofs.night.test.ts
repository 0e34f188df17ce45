/** Linking and unlinking can open an account to others, as an address change can, so they need the same proofs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentitySandbox, startIdentitySandbox } from '../../sandbox/identity/identity-sandbox.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { fragmentOf, providersOf, startLink } from './support/auth/oauth.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';

type Client = ReturnType<BackendTestServer['visitor']>;

const DAY_MS = 24 * 60 * 60 * 1000;
const STALE = { status: 400, code: 'reauthentication_needed' };
const WEAK = { status: 401, code: 'insufficient_aal' };

describeOneDatabase('proofs for linking and unlinking', (kind) => {
  let sandbox: IdentitySandbox;
  let server: BackendTestServer;
  let persons = 0;

  beforeAll(async () => {
    sandbox = await startIdentitySandbox();
    server = await backendTestServer(kind, { accounts: { providers: providersOf(sandbox) } });
  });

  afterAll(async () => {
    await server?.close();
    await sandbox?.close();
  });

  const start = (client: Client) => startLink(server, client, 'github');

  async function linkToken(client: Client) {
    persons += 1;
    const person = { name: 'P', email: `p${persons}@example.com`, isEmailVerified: true };
    const exp = Math.floor(server.clock.nowMs() / 1000) + 600;
    const token = await sandbox.googleIdToken(person, { exp });
    return client.auth.linkIdentity({ provider: 'google', token });
  }

  /** Returns a user with a second identity, so that one can be unlinked. */
  async function userOfTwo() {
    const user = await server.user();
    const { data, error } = await linkToken(user.client);
    if (error || !data.user) throw error ?? new Error('no user');
    const second = data.user.identities?.find(({ provider }) => provider === 'google');
    if (second === undefined) throw new Error('no identity');
    return { ...user, second };
  }

  const setFactor = (userId: string) =>
    server.database.query(
      OWNER,
      `insert into auth.mfa_factors (user_id, factor_type, status, secret)
       values ($1::text::uuid, 'totp', 'verified', 'sealed')`,
      [userId],
    );

  const setLevel = (userId: string, aal: 'aal1' | 'aal2') =>
    server.database.query(OWNER, 'update auth.sessions set aal = $2::text where user_id = $1::text::uuid', [
      userId,
      aal,
    ]);

  const providersNow = async (client: Client) =>
    (await client.auth.getUserIdentities()).data?.identities.map(({ provider }) => provider);

  test('requires the second factor once one is set up', async () => {
    const { client, id, second } = await userOfTwo();
    await setFactor(id);

    expect((await start(client)).error).toMatchObject(WEAK);
    expect((await linkToken(client)).error).toMatchObject(WEAK);
    expect((await client.auth.unlinkIdentity(second)).error).toMatchObject(WEAK);
    expect(await providersNow(client)).toEqual(['email', 'google']);
  });

  test('requires aal2 of both the token and the session', async () => {
    const { client, id, second } = await userOfTwo();
    await setFactor(id);
    await setLevel(id, 'aal2');
    const early = await client.auth.unlinkIdentity(second);
    await client.auth.refreshSession();
    await setLevel(id, 'aal1');

    const late = await client.auth.unlinkIdentity(second);

    expect([early.error, late.error]).toMatchObject([WEAK, WEAK]);
    await setLevel(id, 'aal2');
    expect((await client.auth.unlinkIdentity(second)).error).toBeNull();
  });

  test('requires a factor that was added between redirect and callback', async () => {
    const { client, id } = await server.user();
    const { browser, url } = await start(client);
    await setFactor(id);

    const end = await browser.signIn(url, { email: 'between@example.com' });

    expect(fragmentOf(end).error_code).toBe('insufficient_aal');
    expect(await providersNow(client)).toEqual(['email']);
  });

  test('refuses a proof older than a day, and accepts a new sign-in', async () => {
    const { client, email, password, second } = await userOfTwo();
    server.advance(DAY_MS + 60_000);
    await client.auth.refreshSession();

    expect((await start(client)).error).toMatchObject(STALE);
    expect((await linkToken(client)).error).toMatchObject(STALE);
    expect((await client.auth.unlinkIdentity(second)).error).toMatchObject(STALE);
    await client.auth.signInWithPassword({ email, password });
    expect((await client.auth.unlinkIdentity(second)).error).toBeNull();
  });

  test('refuses a proof that expires between redirect and callback', async () => {
    const { client, email, password } = await server.user();
    server.advance(DAY_MS - 5 * 60_000);
    await client.auth.refreshSession();
    const { browser, url } = await start(client);
    const callback = await browser.signInUntilCallback(url, { email: 'slow@example.com' });
    server.advance(10 * 60_000);

    const end = await browser.follow(callback.href);

    expect(fragmentOf(end).error_code).toBe('reauthentication_needed');
    await client.auth.signInWithPassword({ email, password });
    expect(await providersNow(client)).toEqual(['email']);
  });

  test('refuses to link or unlink for an organisation account', async () => {
    const { client, id, second } = await userOfTwo();
    await server.database.query(OWNER, 'update auth.users set is_sso_user = true where id = $1::text::uuid', [id]);

    const refusals = [
      (await start(client)).error,
      (await linkToken(client)).error,
      (await client.auth.unlinkIdentity(second)).error,
    ];

    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 422, code: 'user_sso_managed' });
    expect(await providersNow(client)).toEqual(['email', 'google']);
  });
});
