/**
 * Calls of the auth service that no page makes. Each signs in once and rejects one forgery here; the rest runs in
 * `npm test -- night` (auth-*.night.test.ts).
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import {
  fragmentOf,
  linkThrough,
  openOAuthWorld,
  signInThrough,
  startLink,
  testBrowser,
} from './support/auth/oauth.ts';
import { BACK, errorIn, PROVIDER_ID, samlWorld } from './support/auth/saml.ts';
import { ethereumWallet, solanaWallet } from './support/auth/wallets.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('wallets', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const page = () => `${server().url}/sign-in`;
  const issuedAt = () => new Date(server().clock.nowMs());

  test('opens an account for an Ethereum wallet and rejects an altered message', async () => {
    const wallet = ethereumWallet();

    const { data, error } = await server()
      .visitor()
      .auth.signInWithWeb3({
        chain: 'ethereum',
        wallet: wallet.provider,
        statement: 'Sign in to Kat',
        options: { url: page(), signInWithEthereum: { issuedAt: issuedAt(), nonce: 'abcd1234' } },
      });
    const message = wallet.shown().replace('abcd1234', 'abcd5678');
    const signature = await wallet.sign(wallet.shown());
    const altered = await post('/auth/v1/token?grant_type=web3', { chain: 'ethereum', message, signature });

    expect(error).toBeNull();
    expect(data.user?.identities).toMatchObject([{ id: `web3:ethereum:${wallet.address.toLowerCase()}` }]);
    expect([altered.status, (await altered.json()).msg]).toEqual([400, 'Signature does not match address in message']);
  });

  test('opens an account for a Solana wallet and rejects an altered message', async () => {
    const wallet = solanaWallet();

    const { data, error } = await server()
      .visitor()
      .auth.signInWithWeb3({
        chain: 'solana',
        wallet: wallet.adapter,
        statement: 'Sign in to Kat',
        options: { url: page(), signInWithSolana: { issuedAt: issuedAt().toISOString(), nonce: 'abcd1234' } },
      });
    const message = wallet.shown().replace('abcd1234', 'abcd5678');
    const signature = Buffer.from(wallet.sign(wallet.shown())).toString('base64url');
    const altered = await post('/auth/v1/token?grant_type=web3', { chain: 'solana', message, signature });

    expect(error).toBeNull();
    expect(data.user?.identities).toMatchObject([{ id: `web3:solana:${wallet.address}` }]);
    expect([altered.status, (await altered.json()).msg]).toEqual([400, 'Signature does not match address in message']);
  });
});

describeBothAtNight('organisations', (kind) => {
  const world = openedForTests(() => samlWorld(kind));

  test('sign users in with a signed response, and reject an unsigned one', async () => {
    world().provider.signInAs({ nameId: 'person-1', attributes: { email: ['ada@example.org'] } });

    const browser = world().pkceVisitor();
    const { data: started } = await browser.auth.signInWithSSO({
      domain: 'example.org',
      options: { redirectTo: BACK },
    });
    const { location } = await world().consume(await world().visit(started?.url ?? ''));
    const { data, error } = await browser.auth.exchangeCodeForSession(location.searchParams.get('code') ?? '');
    world().provider.misbehave('unsigned');
    const forged = await world().signIn(world().visitor());

    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'ada@example.org',
      identities: [{ id: 'person-1', provider: `sso:${PROVIDER_ID}` }],
    });
    expect(errorIn(forged)).toEqual({ code: 'validation_failed', description: 'SAML Assertion is not valid' });
  });

  test('reject a form that another browser requested', async () => {
    world().provider.misbehave(null);
    world().provider.signInAs({ nameId: 'person-2', attributes: { email: ['eve@example.org'] } });
    const formOf = async () => {
      const { data } = await world()
        .visitor()
        .auth.signInWithSSO({ providerId: PROVIDER_ID, options: { redirectTo: BACK } });
      return world().visit(data?.url ?? '');
    };

    const foreign = await fetch(`${world().server.url}/auth/v1/sso/saml/acs`, {
      method: 'POST',
      body: await formOf(),
      redirect: 'manual',
    });
    const own = await world().consume(await formOf());

    const foreignEnd = new URL(foreign.headers.get('location') ?? '');
    expect(errorIn(foreignEnd).code).toBe('saml_relay_state_not_found');
    expect(foreignEnd.hash).not.toContain('access_token');
    expect(own.location.hash).toContain('access_token');
  });
});

describeBothAtNight('identities', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));
  const { post } = authCalls(() => world().server);

  test('open an account with a token that Google signed, and with no other', async () => {
    const { google } = world().sandbox;
    const ada = { name: 'ada', email: 'ada@example.com', isEmailVerified: true };
    const token = await world().sandbox.googleIdToken(ada);
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const claims = { iss: google.issuer, aud: google.clientId, sub: '1', email: ada.email, email_verified: true };
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'test', jwk: await exportJWK(publicKey) })
      .setExpirationTime('10 minutes')
      .sign(privateKey);

    const { data, error } = await world().server.visitor().auth.signInWithIdToken({ provider: 'google', token });
    const refused = await post('/auth/v1/token?grant_type=id_token', { provider: 'google', id_token: forged });

    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: ada.email, app_metadata: { providers: ['google'] } });
    expect([refused.status, (await refused.json()).msg]).toEqual([400, 'Bad ID token']);
  });

  test('can be linked and unlinked by their user, but not linked to a second account', async () => {
    const { client, id } = await world().server.user();
    await signInThrough(world().server, 'github', { email: 'taken@example.com' });
    const link = (provider: 'google' | 'github', email: string) =>
      linkThrough(world().server, client, provider, { email });

    await link('google', 'elsewhere@example.com');
    const refused = await link('github', 'taken@example.com');
    const linked = await client.auth.getUserIdentities();
    const google = linked.data?.identities.find(({ provider }) => provider === 'google');
    if (google === undefined) throw new Error('no identity was linked');
    const unlinked = await client.auth.unlinkIdentity(google);
    const left = await client.auth.getUserIdentities();

    expect(google.user_id).toBe(id);
    expect(fragmentOf(refused)).toMatchObject({ error_code: 'identity_already_exists' });
    expect(unlinked.error).toBeNull();
    expect(left.data?.identities.map(({ provider }) => provider)).toEqual(['email']);
  });

  test('are linked only in the browser that began, with a code challenge and no new session', async () => {
    const { client, accessToken } = await world().server.user();
    const providersOf = async () => (await client.auth.getUserIdentities()).data?.identities.map((one) => one.provider);
    const begun = await startLink(world().server, client, 'google');

    const elsewhere = await testBrowser(world().server.url).signIn(begun.url, { email: 'victim@example.com' });
    expect(fragmentOf(elsewhere)).toMatchObject({ error_code: 'bad_oauth_state' });
    const open = await world().server.request('/auth/v1/user/identities/authorize?provider=google', {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(await open.json()).toMatchObject({ code: 400, error_code: 'validation_failed' });
    expect(await providersOf()).toEqual(['email']);

    const end = await linkThrough(world().server, client, 'google', { email: 'own@example.com' });
    expect([end.pathname, end.search, end.hash]).toEqual(['/account/security', '', '']);
    expect(await providersOf()).toEqual(['email', 'google']);
  });
});

describeBothAtNight('email address', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { mailTo } = mailCalls(server);

  test('changes once the old and the new address have agreed', async () => {
    const { client, email, id } = await server().confirmedUser();
    const newEmail = `new-${email}`;
    const agree = async (address: string) => {
      const { code: token } = await mailTo(address, 'email_change');
      return server().visitor().auth.verifyOtp({ email: address, token, type: 'email_change' });
    };
    const emailOf = async () =>
      (await server().database.query(OWNER, 'select email from auth.users where id = $1', [id]))[0]?.email;

    await client.auth.updateUser({ email: newEmail });
    const first = await agree(email);
    const between = await emailOf();
    const second = await agree(newEmail);

    expect([first.error, between]).toEqual([null, email]);
    expect(second.data.user).toMatchObject({ id, email: newEmail });
    expect(await emailOf()).toBe(newEmail);
  });
});
