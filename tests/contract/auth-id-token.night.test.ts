/** A token that Google signed opens a session, and every invalid token is refused. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openProviders } from '../../server/backend/auth/providers/providers.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { openOAuthWorld } from './support/auth/oauth.ts';
import { backendTestServer } from './support/backend.ts';

const NONCE = 'a nonce of the page';
const HASHED = createHash('sha256').update(NONCE).digest('hex');
const person = (name: string) => ({ name, email: `${name}@example.com`, isEmailVerified: true });

describeOneDatabase('ID token sign-in', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));
  const { post } = authCalls(() => world().server);

  async function refusal(body: Record<string, unknown>) {
    const answer = await post('/auth/v1/token?grant_type=id_token', { provider: 'google', ...body });
    const { code, error_code: errorCode, msg } = (await answer.json()) as Record<string, unknown>;
    return { code, errorCode, msg };
  }

  const bad = (msg: string) => ({ code: 400, errorCode: 'validation_failed', msg });

  test('opens the account of its person, and the same one the second time', async () => {
    const client = world().server.visitor();
    const token = await world().sandbox.googleIdToken(person('token.ada'), { nonce: HASHED });

    const { data, error } = await client.auth.signInWithIdToken({ provider: 'google', token, nonce: NONCE });
    const again = await world()
      .server.visitor()
      .auth.signInWithIdToken({
        provider: 'google',
        token: await world().sandbox.googleIdToken(person('token.ada')),
      });

    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'token.ada@example.com',
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'google', providers: ['google'] },
    });
    expect(again.data.user?.id).toBe(data.user?.id);
    const { data: claims } = await client.auth.getClaims();
    expect(claims?.claims.amr).toMatchObject([{ method: 'oauth' }]);
  });

  test('accepts each token once, also in simultaneous calls', async () => {
    const token = await world().sandbox.googleIdToken(person('replayed'));
    const signIn = () => world().server.visitor().auth.signInWithIdToken({ provider: 'google', token });

    const answers = await Promise.all([signIn(), signIn(), signIn(), signIn()]);

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(await refusal({ id_token: token })).toEqual(bad('Bad ID token'));
  });

  test('accepts a token that was first refused for its nonce', async () => {
    const token = await world().sandbox.googleIdToken(person('second.chance'), { nonce: HASHED });
    await refusal({ id_token: token, nonce: 'another' });

    const { error } = await world()
      .server.visitor()
      .auth.signInWithIdToken({ provider: 'google', token, nonce: NONCE });

    expect(error).toBeNull();
  });

  test.each([
    ['no token', { id_token: undefined }, 'id_token required'],
    ['a token that is a number', { id_token: 7 }, 'id_token must be a string'],
    ['no provider', { id_token: 'x', provider: '' }, 'provider or client_id and issuer required'],
    ['github, which gives none', { id_token: 'x', provider: 'github' }, 'Custom OIDC provider "github" not allowed'],
  ])('rejects a request with %s', async (_which, body, message) => {
    expect(await refusal(body)).toEqual(bad(message));
  });

  test('distinguishes a disabled and an unreachable provider from a bad token', async () => {
    const off = await backendTestServer(kind);
    const away = await backendTestServer(kind, {
      accounts: {
        providers: openProviders({ google: { ...world().sandbox.google, issuer: 'http://127.0.0.1:9' }, github: null }),
      },
    });
    const token = await world().sandbox.googleIdToken(person('nobody'));
    try {
      const none = await off.visitor().auth.signInWithIdToken({ provider: 'google', token });
      const dead = await away.visitor().auth.signInWithIdToken({ provider: 'google', token });

      expect(none.error).toMatchObject({ status: 400, code: 'provider_disabled' });
      expect(dead.error).toMatchObject({ status: 500, message: 'Unable to reach google' });
    } finally {
      await off.close();
      await away.close();
    }
  });

  test('rejects an address with a letter that only looks like another', async () => {
    await world().server.visitor().auth.signUp({ email: 'kelvin@example.com', password: 'Password1' });
    const lookalike = { name: 'K', email: '\u212aelvin@example.com', isEmailVerified: true };

    const answer = await refusal({ id_token: await world().sandbox.googleIdToken(lookalike) });

    expect(answer).toMatchObject({ code: 500, msg: 'Error getting user email from external provider' });
  });

  test('links the identity of a token to a signed-in user, and refuses it to another', async () => {
    const { client, id } = await world().server.user();
    const token = await world().sandbox.googleIdToken(person('linked.token'));

    const { data, error } = await client.auth.linkIdentity({ provider: 'google', token });

    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(data.user?.app_metadata.providers).toEqual(['email', 'google']);
    const other = await world().server.user();
    const taken = await other.client.auth.linkIdentity({
      provider: 'google',
      token: await world().sandbox.googleIdToken(person('linked.token')),
    });
    expect(taken.error).toMatchObject({ status: 422, code: 'identity_already_exists' });
  });
});
