/**
 * Makes every auth call with marked secrets (answered, refused and failing) and checks that no mark reaches the log.
 */
import { expect, test } from 'vitest';
import type { Database } from '../../server/platform/database/database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { samlWorld } from './support/auth/saml.ts';

const MARK = 'MARKED5e7c0ffee';
const EMAIL = `${MARK}@example.com`;
const JWT = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(`{"sub":"${MARK}"}`).toString('base64url')}.${MARK}`;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Call = readonly [method: string, path: string, body?: unknown, type?: string];

const challenge = { code_challenge: MARK.padEnd(43, 'x'), code_challenge_method: 's256' };
const captcha = { gotrue_meta_security: { captcha_token: MARK } };
const CALLS: readonly Call[] = [
  ['POST', '/signup', { email: EMAIL, password: MARK, data: { secret: MARK }, ...challenge, ...captcha }],
  ['POST', '/token?grant_type=password', { email: EMAIL, password: MARK, ...captcha }],
  ['POST', '/token?grant_type=password', { email: EMAIL, password: `wrong ${MARK}` }],
  ['POST', '/token?grant_type=refresh_token', { refresh_token: MARK }],
  ['POST', '/token?grant_type=pkce', { auth_code: MARK, code_verifier: MARK }],
  ['POST', '/token?grant_type=id_token', { provider: 'google', id_token: JWT, access_token: MARK, nonce: MARK }],
  ['POST', '/token?grant_type=web3', { chain: 'ethereum', message: MARK, signature: `0x${MARK}` }],
  ['POST', '/token?grant_type=web3', { chain: 'solana', message: MARK, signature: MARK }],
  ['POST', '/otp', { email: EMAIL, create_user: true, data: { note: MARK }, ...challenge, ...captcha }],
  ['POST', '/verify', { type: 'email', email: EMAIL, token: MARK }],
  ['POST', '/verify', { type: 'email', token_hash: MARK }],
  ['GET', `/verify?type=signup&token=${MARK}&redirect_to=${MARK}`],
  ['POST', `/recover?redirect_to=https%3A%2F%2F${MARK}.example`, { email: EMAIL, ...challenge, ...captcha }],
  ['POST', '/resend', { type: 'signup', email: EMAIL, ...captcha }],
  ['GET', '/reauthenticate'],
  ['GET', '/user'],
  ['PUT', '/user', { password: MARK, nonce: MARK, email: EMAIL, data: { token: MARK } }],
  ['GET', `/authorize?provider=google&state=${MARK}&code_challenge=${MARK}`],
  ['GET', `/callback?code=${MARK}&state=${MARK}`],
  ['GET', `/callback?error=${MARK}&error_description=${MARK}`],
  ['GET', `/user/identities/authorize?provider=github&code_challenge=${MARK}`],
  ['DELETE', `/user/identities/${MARK}`],
  ['POST', '/factors', { factor_type: 'totp', friendly_name: MARK }],
  ['POST', `/factors/${MARK}/challenge`, {}],
  ['POST', `/factors/${MARK}/verify`, { challenge_id: MARK, code: MARK }],
  ['DELETE', `/factors/${MARK}`],
  ['POST', '/sso', { domain: 'example.org', redirect_to: `https://${MARK}.example`, ...challenge, ...captcha }],
  ['POST', '/sso/saml/acs', `SAMLResponse=${MARK}&RelayState=${MARK}`, FORM_TYPE],
  ['POST', '/logout?scope=global'],
  ['POST', '/token?grant_type=password', `{"email": "${EMAIL}", "password": ${MARK}}`, JSON_TYPE],
];

describeOneDatabase('auth log', (kind) => {
  test('holds no secret of any auth call, whether it was answered, refused or failed', async () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line) => void lines.push(line) });
    const world = await samlWorld(kind, { log });
    try {
      const { server } = world;
      const { accessToken } = await server.user();
      const bearers = [`Bearer ${accessToken}`, `Bearer ${JWT}`, `Bearer ${MARK}`, null];

      const send = (bearer: string | null) => callAll(server.url, server.keys.anonKey, bearer);
      const answered = (await Promise.all(bearers.map(send))).flat();
      world.provider.signInAs({ nameId: MARK, attributes: { email: [`${MARK}@elsewhere.example`] } });
      world.provider.misbehave('altered-after-signing');
      await world.signIn(world.visitor());
      const linesBefore = lines.length;
      const repair = breakDown(server.database);
      const broken = await send(`Bearer ${accessToken}`);
      repair();

      expect(answered.filter((status) => status >= 500 && status !== 501)).toEqual([]);
      expect(broken.filter((status) => status >= 500).length).toBeGreaterThan(5);
      expect(linesBefore).toBeGreaterThan(0);
      expect(lines.length).toBeGreaterThan(linesBefore);
      const spelled = [MARK, encodeURIComponent(EMAIL), Buffer.from(MARK).toString('base64'), accessToken];
      for (const secret of spelled) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

/** Makes every query fail as a driver might, with an error that holds the connection address and the parameters. */
function breakDown(database: Database): () => void {
  const { query, transaction } = database;
  const fail = () => {
    const cause = Object.assign(new Error(`no way to postgres://kat:${MARK}@db.example/kat`), { parameters: [MARK] });
    return Promise.reject(new Error(`the statement failed for ${EMAIL}`, { cause }));
  };
  Object.assign(database, { query: fail, transaction: fail });
  return () => void Object.assign(database, { query, transaction });
}

async function callAll(url: string, anonKey: string, bearer: string | null): Promise<number[]> {
  const statuses: number[] = [];
  for (const [method, path, body, type = JSON_TYPE] of CALLS) {
    const answer = await fetch(`${url}/auth/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: anonKey,
        'content-type': type,
        cookie: `session=${MARK}`,
        'user-agent': `browser ${MARK}`,
        ...(bearer === null ? {} : { authorization: bearer }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}
