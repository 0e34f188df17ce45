/**
 * Which account a provider sign-in opens: proven addresses link, unproven ones open nothing, squatters lose the
 * account.
 */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openOAuthWorld, pkceClient, signInThrough, startLink, startOf, testBrowser } from './support/auth/oauth.ts';

const PASSWORD = 'Password1';

describeOneDatabase('accounts of provider sign-ins', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));

  async function signUp(email: string, data: Record<string, unknown> = {}) {
    const client = world().server.visitor();
    const { data: created, error } = await client.auth.signUp({ email, password: PASSWORD, options: { data } });
    if (error || !created.session) throw new Error(`sign-up failed: ${error?.message}`);
    return { client, session: created.session, id: created.session.user.id };
  }

  const confirm = (id: string) =>
    world().server.database.query(
      OWNER,
      'update auth.users set email_confirmed_at = created_at where id = $1::text::uuid',
      [id],
    );

  test('links a proven address to a confirmed account, which loses nothing', async () => {
    const { client, id } = await signUp('linked@example.com', { favourite: 'BTC' });
    await confirm(id);

    const { session } = await signInThrough(world().server, 'google', { name: 'L', email: 'LINKED@example.com' });

    expect(session?.user.id).toBe(id);
    expect(session?.user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'google'] });
    expect(session?.user.user_metadata).toMatchObject({ favourite: 'BTC', full_name: 'L' });
    expect(session?.user.identities?.map((identity) => identity.provider)).toEqual(['email', 'google']);
    expect((await client.auth.getUser()).error).toBeNull();
    const again = await world()
      .server.visitor()
      .auth.signInWithPassword({ email: 'linked@example.com', password: PASSWORD });
    expect(again.error).toBeNull();
  });

  test('opens one account for both providers with the same proven address', async () => {
    const google = await signInThrough(world().server, 'google', { email: 'both@example.com' });

    const github = await signInThrough(world().server, 'github', { email: 'both@example.com' });

    expect(github.session?.user.id).toBe(google.session?.user.id);
    expect(github.session?.user.app_metadata).toMatchObject({ provider: 'google', providers: ['google', 'github'] });
  });

  test('refuses an unproven address that has an account', async () => {
    const { id } = await signUp('victim@example.com');
    await confirm(id);

    const { error } = await signInThrough(world().server, 'github', { email: 'victim@example.com', isVerified: false });

    expect(error).toEqual({
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
      error_description: 'Unverified email with github. Verify the email with github in order to sign in',
    });
    const rows = await world().server.database.query(
      OWNER,
      'select provider from auth.identities where user_id = $1::text::uuid',
      [id],
    );
    expect(rows).toEqual([{ provider: 'email' }]);
  });

  test('creates an unconfirmed account for an unproven address without an account', async () => {
    const { session } = await signInThrough(world().server, 'github', {
      email: 'fresh@example.com',
      isVerified: false,
    });

    expect(session?.user.email).toBe('fresh@example.com');
    expect(session?.user.email_confirmed_at ?? null).toBeNull();
    expect(session?.user.user_metadata.email_verified).toBe(false);
  });

  test('gives a squatted account to the user who proves its address', async () => {
    const squatter = await signUp('hijack@example.com', { full_name: 'Squatter', note: 'mine' });
    await squatter.client.auth.signInWithPassword({ email: 'hijack@example.com', password: PASSWORD });
    const pending = await startLink(world().server, squatter.client, 'github');
    await world().server.database.query(
      OWNER,
      `insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1::text::uuid, 'totp', 'verified', 'x')`,
      [squatter.id],
    );

    const { session } = await signInThrough(world().server, 'google', { name: 'Owner', email: 'hijack@example.com' });

    expect(session?.user.id).toBe(squatter.id);
    expect(session?.user.email_confirmed_at).toBeTruthy();
    expect(session?.user.user_metadata).toMatchObject({ full_name: 'Owner' });
    expect(session?.user.user_metadata).not.toHaveProperty('note');
    expect(session?.user.app_metadata).toMatchObject({ provider: 'google', providers: ['google'] });
    expect(session?.user.factors ?? []).toEqual([]);
    const answer = await world().server.request('/auth/v1/user', {
      headers: { authorization: `Bearer ${squatter.session.access_token}` },
    });
    expect(await answer.json()).toMatchObject({ code: 403, error_code: 'session_not_found' });
    const byPassword = await world()
      .server.visitor()
      .auth.signInWithPassword({ email: 'hijack@example.com', password: PASSWORD });
    expect(byPassword.error?.code).toBe('invalid_credentials');
    const way = await pending.browser.signIn(pending.url, { email: 'squatters.own@example.com' });
    expect(way.hash).toContain('bad_oauth_state');
  });

  test('does not join the account of an organisation by its address', async () => {
    const id = '7a000000-0000-4000-8000-000000000001';
    await world().server.database.query(
      OWNER,
      `insert into auth.users (id, email, email_confirmed_at, is_sso_user)
       values ($1::text::uuid, 'staff@example.com', now(), true)`,
      [id],
    );

    const { session } = await signInThrough(world().server, 'google', { email: 'staff@example.com' });

    expect(session?.user.email).toBe('staff@example.com');
    expect(session?.user.id).not.toBe(id);
  });

  test('ends in one account when a sign-up for the same address runs at the same time', async () => {
    const client = pkceClient(world().server);
    const browser = testBrowser(world().server.url);
    const start = await startOf(client, 'google', `${world().server.url}/auth/callback`);
    const callback = await browser.signInUntilCallback(start, { email: 'race@example.com' });

    await Promise.allSettled([
      browser.follow(callback.href),
      world().server.visitor().auth.signUp({ email: 'race@example.com', password: PASSWORD }),
    ]);

    const rows = await world().server.database.query(
      OWNER,
      `select 1 from auth.users where email = 'race@example.com'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describeOneDatabase('accounts of provider sign-ins with required confirmation', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind, { settings: { isConfirmationRequired: true } }));

  test('refuses an unproven address with the same error, known or not', async () => {
    await signInThrough(world().server, 'google', { email: 'known@example.com' });

    const known = await signInThrough(world().server, 'github', { email: 'known@example.com', isVerified: false });
    const unknown = await signInThrough(world().server, 'github', { email: 'unknown@example.com', isVerified: false });

    expect(known.error?.error_code).toBe('provider_email_needs_verification');
    expect(unknown.error).toEqual(known.error);
    const rows = await world().server.database.query(
      OWNER,
      `select 1 from auth.users where email = 'unknown@example.com'`,
    );
    expect(rows).toEqual([]);
  });

  test('signs in with a proven address immediately', async () => {
    const { session } = await signInThrough(world().server, 'google', { email: 'proven@example.com' });

    expect(session?.user.email_confirmed_at).toBeTruthy();
  });
});
