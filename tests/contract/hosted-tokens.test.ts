/** Which tokens our own functions accept when a hosted project signs them. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LiveSessions } from '../../server/backend/auth/keys/live-sessions.ts';
import { openHostedBackend, ProjectRefused } from '../../server/backend/hosted/hosted.ts';
import { hostedTokens } from '../../server/backend/hosted/tokens.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld } from './support/hosted.ts';

const EVERY_SESSION: LiveSessions = {
  stateOf: async () => 'live',
  statusOf: async () => ({ isLive: true, hasSecondFactor: false, isRaised: false }),
  end: () => undefined,
  forgetUser: () => undefined,
  forgetAll: () => undefined,
};
const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`tokens of a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());
  afterEach(() => {
    vi.useRealTimers();
    world().project.answerWith(null);
  });

  const statusOf = async (token: string) => (await world().invoke('get-quota', token)).status;
  const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  test("refuses tokens without a signature, with another's, and under another algorithm", async () => {
    const { accessToken } = await world().user();
    const [header = '', payload = '', signature = ''] = accessToken.split('.');
    const { privateKey } = await generateKeyPair('ES256');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const forged = await new SignJWT(payloadOf(accessToken)).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
    const secret = new TextEncoder().encode(JSON.stringify((await jwks()).keys[0]));
    const shared = await new SignJWT(payloadOf(accessToken)).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
    const admin = encoded({ ...payloadOf(accessToken), role: 'service_role' });

    expect(await statusOf(accessToken)).toBe(200);
    expect(await statusOf(`${encoded({ alg: 'none' })}.${payload}.`)).toBe(401);
    expect(await statusOf(`${header}.${admin}.${signature}`)).toBe(401);
    expect(await statusOf(forged)).toBe(401);
    expect(await statusOf(shared)).toBe(401);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'https://other.example/auth/v1' }],
    ['for another audience', { aud: 'other' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 10 }],
    ['without a session', { session_id: undefined }],
    ['of an unknown session', { session_id: '00000000-0000-4000-8000-000000000000' }],
  ])('refuses a token %s', async (_what, change) => {
    const { accessToken } = await world().user();
    const { keys, sign } = await ownKeys();
    world().project.answerWith(async (request) =>
      request.url.endsWith('jwks.json') ? Response.json(keys) : new Response(null, { status: 500 }),
    );
    const { exp, iat, ...claims } = payloadOf(accessToken);
    const verifier = hostedTokens({
      url: world().project.url,
      anonKey: 'anon',
      sessions: {
        ...EVERY_SESSION,
        statusOf: async (id) => ({ isLive: id === claims.session_id, hasSecondFactor: false, isRaised: false }),
      },
    });
    const accepts = async (token: string) => {
      const { session_id: sessionId } = await verifier.verify(token);
      return (await verifier.sessionStatus(String(sessionId))).isLive;
    };

    expect(await accepts(await sign({ ...claims, iat, exp }))).toBe(true);
    expect(await accepts(await sign({ ...claims, iat, exp, ...change })).catch((error) => error.code)).toSatisfy(
      (answer) => answer === false || answer === 'auth/bad-token',
    );
  });

  test('accepts tokens signed with RSA', async () => {
    const { keys, sign } = await ownKeys('RS256');
    world().project.answerWith(async () => Response.json(keys));
    const verifier = hostedTokens({ url: world().project.url, anonKey: 'anon', sessions: EVERY_SESSION });
    const iss = `${world().project.url}/auth/v1`;
    const claims = { sub: 'ada', role: 'authenticated', aud: 'authenticated', session_id: 'one', iss };

    const verified = await verifier.verify(await sign({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 }));

    expect(verified.sub).toBe('ada');
  });

  test("accepts tokens of the project's next key, and still those of the old key", async () => {
    const before = await world().user();
    expect(await statusOf(before.accessToken)).toBe(200);

    await world().project.rotateKeys();
    const after = await world().user();
    // Past the cool-down between two fetches of the keys.
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] });
    const statuses = [await statusOf(after.accessToken), await statusOf(before.accessToken)];
    vi.useRealTimers();

    expect(headerOf(after.accessToken).kid).not.toBe(headerOf(before.accessToken).kid);
    expect(statuses).toEqual([200, 200]);
  });

  test('does not fetch the keys again for tokens with unknown keys', async () => {
    const verifier = hostedTokens({ url: world().project.url, anonKey: 'anon', sessions: EVERY_SESSION });
    const { privateKey } = await generateKeyPair('ES256');
    await verifier.loadKeys();
    const requestCount = world().project.requests.length;

    for (let n = 0; n < 5; n += 1) {
      const forged = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: `k${n}` }).sign(privateKey);
      await expect(verifier.verify(forged)).rejects.toMatchObject({ code: 'auth/bad-token' });
    }

    expect(world().project.requests.length).toBe(requestCount);
  });

  test('refuses tokens immediately after a sign-out through us, and within 6 s after any other', async () => {
    const here = await world().user();
    const elsewhere = await world().user();
    // Sessions are cached for five seconds: the clock advances only where the test says so.
    vi.useFakeTimers({ toFake: ['Date'] });
    expect([await statusOf(here.accessToken), await statusOf(elsewhere.accessToken)]).toEqual([200, 200]);

    await here.client.auth.signOut();
    const immediate = await statusOf(here.accessToken);
    await statusOf(elsewhere.accessToken);
    await world().project.admin.query(OWNER, 'delete from auth.sessions where user_id = $1', [elsewhere.id]);
    const remembered = await statusOf(elsewhere.accessToken);
    vi.setSystemTime(Date.now() + 6000);
    const later = await statusOf(elsewhere.accessToken);

    expect([immediate, remembered, later]).toEqual([401, 200, 401]);
  });

  test("reports backend/unavailable while the project's keys are unreachable", async () => {
    const { accessToken } = await world().user();
    world().project.answerWith(async () => new Response('away', { status: 502 }));
    const verifier = hostedTokens({ url: world().project.url, anonKey: 'anon', sessions: EVERY_SESSION });

    await expect(verifier.verify(accessToken)).rejects.toMatchObject({ code: 'backend/unavailable' });
  });

  test('refuses to start for a project that signs with a shared secret', async () => {
    world().project.answerWith(async () => Response.json({ keys: [] }));

    await expect(openBackend()).rejects.toThrow(ProjectRefused);
  });

  test('starts without the project and reports not ready until it is available', async () => {
    world().project.answerWith(async () => new Response(null, { status: 503 }));

    const backend = await openBackend();

    await expect(backend.readiness[0]?.isReady()).rejects.toMatchObject({ code: 'backend/unavailable' });
  });

  const openBackend = () =>
    openHostedBackend({
      project: { url: world().project.url, anonKey: 'anon' },
      config: { publicUrl: null, allowedOrigins: [], trustedProxies: 0 },
      clock: { nowMs: () => Date.now() },
      log: testLog,
      database: world().project.database,
    });
  const jwks = async () => (await fetch(`${world().project.url}/auth/v1/.well-known/jwks.json`)).json();
  const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
});

async function ownKeys(alg: 'ES256' | 'RS256' = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'own', alg, use: 'sig' }] };
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: 'own' }).sign(privateKey);
  return { keys, sign };
}
