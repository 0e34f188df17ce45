/** Signing in through Google and GitHub, with the client library and a browser's redirects. */
import { expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { fragmentOf, openOAuthWorld, pkceClient, signInThrough, startOf, testBrowser } from './support/auth/oauth.ts';

describeOneDatabase('provider sign-in', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));

  test('creates a confirmed account with the data and tokens of the provider', async () => {
    const { session, client } = await signInThrough(world().server, 'google', {
      name: 'Ada New',
      email: 'Ada.New@example.com',
    });

    expect(session?.user).toMatchObject({
      email: 'ada.new@example.com',
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: {
        full_name: 'Ada New',
        name: 'Ada New',
        email: 'ada.new@example.com',
        email_verified: true,
        iss: world().sandbox.google.issuer,
        avatar_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pictures\/\d+\.png$/),
      },
    });
    expect(session?.user.email_confirmed_at).toBeTruthy();
    expect(session?.provider_token).toBeTruthy();
    expect(session?.provider_refresh_token).toBeTruthy();
    const { data } = await client.auth.getClaims();
    expect(data?.claims.amr).toMatchObject([{ method: 'oauth' }]);
    const { data: profile } = await client.from('profiles').select('full_name').single();
    expect(profile).toEqual({ full_name: 'Ada New' });
  });

  test('takes the primary address and its confirmation from GitHub', async () => {
    const { session } = await signInThrough(world().server, 'github', {
      name: 'Hub Cat',
      email: 'hub.cat@example.com',
    });

    expect(session?.user).toMatchObject({
      email: 'hub.cat@example.com',
      app_metadata: { provider: 'github', providers: ['github'] },
      user_metadata: {
        full_name: 'Hub Cat',
        user_name: 'hub-cat',
        preferred_username: 'hub-cat',
        email_verified: true,
      },
    });
    expect(session?.provider_token).toMatch(/^gho_/);
    expect(session?.provider_refresh_token ?? null).toBeNull();
  });

  test('opens the same account on return, with the current data of the provider', async () => {
    const first = await signInThrough(world().server, 'google', { name: 'Bo Before', email: 'bo@example.com' });
    const second = await signInThrough(world().server, 'google', { name: 'Bo After', email: 'bo@example.com' });

    expect(second.session?.user.id).toBe(first.session?.user.id);
    expect(second.session?.user.user_metadata.full_name).toBe('Bo After');
    expect(second.session?.user.identities).toHaveLength(1);
  });

  test('creates one account from three simultaneous first sign-ins', async () => {
    const who = { email: 'twin@example.com' };
    const browsers = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = pkceClient(world().server);
        const browser = testBrowser(world().server.url);
        const start = await startOf(client, 'github', `${world().server.url}/auth/callback`);
        return { client, browser, callback: await browser.signInUntilCallback(start, who) };
      }),
    );

    const ends = await Promise.all(browsers.map(({ browser, callback }) => browser.follow(callback.href)));
    const sessions = await Promise.all(
      browsers.map(({ client }, index) =>
        client.auth.exchangeCodeForSession(ends[index]?.searchParams.get('code') ?? ''),
      ),
    );

    expect(new Set(sessions.map(({ data }) => data.user?.id)).size).toBe(1);
    expect(sessions[0]?.data.user?.id).toBeTruthy();
  });

  test('returns the session and the provider tokens in the fragment without a code challenge', async () => {
    const start = await startOf(world().server.visitor(), 'google', `${world().server.url}/auth/callback?next=%2Fkat`);

    const end = await testBrowser(world().server.url).signIn(start, { email: 'implicit@example.com' });

    expect(end.search).toBe('?next=%2Fkat');
    const { access_token: accessToken = '', provider_token: providerToken, ...rest } = fragmentOf(end);
    expect(providerToken).toBeTruthy();
    expect(rest).toMatchObject({ token_type: 'bearer', expires_in: '3600' });
    const { data } = await world().server.visitor().auth.getUser(accessToken);
    expect(data.user?.email).toBe('implicit@example.com');
  });

  test('truncates a long name with odd characters, and signs in', async () => {
    const name = `${'n'.repeat(1500)}\u0007`;

    const { session } = await signInThrough(world().server, 'google', { name, email: 'long@example.com' });

    expect(session?.user.user_metadata.full_name).toBe('n'.repeat(100));
  });

  test('refuses a banned account on the page that began the sign-in', async () => {
    const { session } = await signInThrough(world().server, 'google', { email: 'banned@example.com' });
    await world().server.database.query(
      { role: 'owner', claims: null },
      `update auth.users set banned_until = '2999-01-01' where id = $1::text::uuid`,
      [session?.user.id],
    );

    const { error } = await signInThrough(world().server, 'google', { email: 'banned@example.com' });

    expect(error).toMatchObject({ error: 'access_denied', error_code: 'user_banned' });
  });
});
