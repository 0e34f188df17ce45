/**
 * What must hold for every route, checked on each one; docs/threat-model.md names these tests. They use the route
 * list of the hostile requests, so that a new route is checked too.
 */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { type PlainOptions, plainRequests } from '../support/fuzz/plain-requests.ts';
import { ROUTES } from '../support/fuzz/routes/routes.ts';
import { type Answer, fuzzSender, type Sender, type Sent } from '../support/fuzz/send.ts';
import { type FuzzWorld, MARK, openFuzzWorld } from '../support/fuzz/world.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { runningTime } from '../support/run/running-time.ts';

const PARALLEL = 8;

interface ThreatWorld extends FuzzWorld {
  sender: Sender;
}

async function openWorld(): Promise<ThreatWorld> {
  const opened = await openFuzzWorld(dayDatabase, { isCrowded: false });
  const sender = fuzzSender(opened.server.url);
  return {
    ...opened,
    sender,
    async close() {
      sender.close();
      await opened.close();
    },
  };
}

const world = openedForTests(openWorld);
/** For one test: the others use up how often an address may download the record. */
const fresh = openedForTests(openWorld);

interface AnsweredRequest {
  route: string;
  sent: Sent;
  answer: Answer;
}

async function send(sent: Sent, { sender } = world()): Promise<Answer> {
  const outcome = await sender.send(sent);
  if ('failure' in outcome) throw new Error(`${sent.method} ${sent.target}: ${outcome.failure}`);
  return outcome.answer;
}

/** In the order of the routes. */
async function sendAll(options: PlainOptions, target = world()): Promise<AnsweredRequest[]> {
  const requests = plainRequests(options);
  const answered: AnsweredRequest[] = new Array(requests.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let i = next++; i < requests.length; i = next++) {
        const request = requests[i];
        if (request === undefined) continue;
        const sent = await target.fill(request);
        answered[i] = { route: `${request.method} ${request.route.path}`, sent, answer: await send(sent, target) };
      }
    }),
  );
  return answered;
}

const get = (target: string, headers: Sent['headers'] = [], from = world()): Promise<Answer> =>
  send({ method: 'GET', target, headers, body: null }, from);

/** The target of its redirect, without the parts that are random each time. */
const placeIn = (answer: Answer | undefined): string | undefined =>
  answer?.headers.location?.replace(/([?&](?:state|nonce|code_challenge)=)[^&]*/g, '$1');

const isGet = (_path: string, method: string): boolean => method === 'GET';
/** Its answer about itself changes from one moment to the next. */
const isVolatile = (route: string): boolean => /stream-kat2|healthz|readyz|clock|mailbox|history/.test(route);

/** A development email is shown in our own sandboxed frame: tests/contract/mailbox.test.ts. */
const SHOWN_MAIL = / \/dev\/mailbox\/mails\//;
/** The public record is readable by every program: docs/decisions/035-track-record.md. */
const IS_PUBLIC = /^(?:GET|HEAD) \/(?:record|api\/v1)\//;
/** Any site may frame these, and these alone: docs/decisions/077-forecast-pages.md. */
const IS_EMBED = /^(?:GET|HEAD) \/embed\//;
/** Its cookie ties the callback to this browser and grants no access: tests/contract/auth-oauth-refusals.test.ts. */
const BEGINS_SIGN_IN = / \/auth\/v1\/authorize$/;

test('forbids other sites to frame, sniff or read any answer of any route and method but embeds', async () => {
  const answers = await sendAll({ headers: [['origin', 'https://evil.example']] });
  const pages = await Promise.all(SITE_ROUTES.map(async ({ path }) => ({ route: path, answer: await get(path) })));

  expect(answers.length).toBeGreaterThan(100);
  const found = [...answers, ...pages];
  for (const { route, answer } of found.filter((one) => !SHOWN_MAIL.test(one.route))) {
    const { headers } = answer;
    expect(headers['x-content-type-options'], route).toBe('nosniff');
    const policy = headers['content-security-policy'];
    if (IS_EMBED.test(route)) {
      expect(headers['x-frame-options'], route).toBeUndefined();
      expect(policy, route).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; frame-ancestors \*;.*; sandbox /);
    } else {
      expect(headers['x-frame-options'], route).toBe('DENY');
      expect(policy, route).toMatch(/frame-ancestors 'none'|sandbox/);
    }
    expect(policy, route).not.toMatch(/unsafe-(?:inline|eval)/);
    expect(headers['referrer-policy'], route).toBe('strict-origin-when-cross-origin');
    expect(headers['cross-origin-resource-policy'], route).toBe(IS_EMBED.test(route) ? 'cross-origin' : 'same-origin');
    expect(['none', ...(IS_PUBLIC.test(route) ? ['*'] : [])], route).toContain(
      headers['access-control-allow-origin'] ?? 'none',
    );
    expect(headers['access-control-allow-credentials'], route).toBeUndefined();
    if (!BEGINS_SIGN_IN.test(route)) expect(headers['set-cookie'], route).toBeUndefined();
    expect(headers['x-powered-by'], route).toBeUndefined();
  }
});

test('forbids caching a refusal, so that the next token does not get it', async () => {
  const refused = (await sendAll({})).filter(({ answer }) => [401, 403, 429].includes(answer.status));

  expect(refused.map(({ route }) => route)).toContain('GET /stream-kat2');
  expect(refused.length).toBeGreaterThan(10);
  for (const { route, answer } of refused)
    expect([route, answer.headers['cache-control']]).toEqual([route, 'no-store']);
});

test('ignores a token in a cookie, which a page of another site could send', async () => {
  const readsToken = new Set(ROUTES.filter((route) => route.readsToken === true).map((route) => route.path));
  const wants = (path: string): boolean => readsToken.has(path);
  const [request] = plainRequests({ token: 'paid', wants });
  if (request === undefined) throw new Error('no route reads a token');
  const [, bearer = ''] = (await world().fill(request)).headers.find(([name]) => name === 'authorization') ?? [];
  const value = bearer.replace('Bearer ', '');
  const cookie = ['access_token', 'sb-access-token', 'sb-localhost-auth-token', 'session'].map(
    (name) => `${name}=${value}`,
  );

  const without = await sendAll({ wants });
  const withCookie = await sendAll({
    wants,
    headers: [
      ['cookie', cookie.join('; ')],
      ['sec-fetch-site', 'cross-site'],
    ],
  });

  expect(without.length).toBeGreaterThan(20);
  expect(withCookie.map(({ route, answer }) => `${route} ${answer.status}`)).toEqual(
    without.map(({ route, answer }) => `${route} ${answer.status}`),
  );
});

test('gives the same answers and redirects despite headers that caches ignore', async () => {
  const poison: Sent['headers'] = [
    ...(['x-forwarded-host', 'x-host', 'x-original-host', 'x-forwarded-server'] as const).map(
      (name) => [name, 'evil.example'] as const,
    ),
    ['forwarded', 'for=1.2.3.4;host=evil.example;proto=https'],
    ['x-original-url', '/evil.example'],
    ['x-rewrite-url', '/evil.example'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-prefix', '/evil.example'],
    ['x-http-method-override', 'DELETE'],
  ];
  // A forwarded request is refused what is only for this machine: plain-proxy.test.ts.
  const isOwnMachines = (path: string) => path.startsWith('/dev/') || path.endsWith('/authorize');
  const wants = (path: string, method: string) => isGet(path, method) && !isVolatile(path) && !isOwnMachines(path);
  const plain = await sendAll({ wants }, fresh());
  const poisoned = await sendAll({ wants, headers: poison }, fresh());
  const pages = SITE_ROUTES.map(({ path }) => path).filter((path) => !isOwnMachines(path));
  const paths = [...pages, '/kat/', '/robots.txt', '/sitemap.xml', '/site.webmanifest'];
  for (const path of paths) {
    const [one, other] = [await get(path, [], fresh()), await get(path, poison, fresh())];
    expect([other.status, other.headers.location, other.body], path).toEqual([
      one.status,
      one.headers.location,
      one.body,
    ]);
    expect(other.body, path).not.toContain('evil.example');
  }
  for (const [i, { route, answer }] of poisoned.entries()) {
    const before = plain[i]?.answer;
    expect([answer.status, placeIn(answer)], route).toEqual([before?.status, placeIn(before)]);
    expect(answer.body + JSON.stringify(answer.headers), route).not.toContain('evil.example');
  }
});

test("forbids shared caching of a user's own answers", async () => {
  const readsToken = new Set(ROUTES.filter((route) => route.readsToken === true).map((route) => route.path));
  const wants = (path: string, method: string): boolean => readsToken.has(path) && isGet(path, method);
  for (const { route, answer } of await sendAll({ token: 'paid', wants })) {
    if (answer.status >= 400) continue;
    expect(answer.headers['cache-control'] ?? 'none', route).not.toMatch(/public|s-maxage|immutable/);
  }
});

test.each([
  ['two lengths', 'content-length: 5\r\ncontent-length: 60'],
  ['a length and pieces', 'content-length: 60\r\ntransfer-encoding: chunked'],
  ['pieces and a length', 'transfer-encoding: chunked\r\ncontent-length: 60'],
  ['pieces by another name', 'transfer-encoding: xchunked'],
  ['pieces twice', 'transfer-encoding: chunked\r\ntransfer-encoding: identity'],
  ['a space before the colon', 'transfer-encoding : chunked'],
  ['a length with a sign', 'content-length: +60'],
  ['a folded header', 'x: y\r\n transfer-encoding: chunked'],
  ['a length of two words', 'content-length: 6 0'],
])('refuses a request with %s as a whole, and runs none hidden behind it', async (_what, framing) => {
  const hidden = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-request-id: smuggled\r\n\r\n';
  const text = await world().sender.sendRaw(
    `POST /functions/v1/get-quota HTTP/1.1\r\nhost: 127.0.0.1\r\n${framing}\r\n\r\n0\r\n\r\n${hidden}`,
  );

  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400']);
  expect(text).not.toContain('smuggled');
});

test('keeps __proto__ and other special names in a body from changing objects', async () => {
  const extraFields =
    '"__proto__":{"polluted":"yes","role":"service_role"},"constructor":{"prototype":{"polluted":"yes"}},"prototype":{"polluted":"yes"}';
  const answers = await sendAll({ token: 'attacker', extraFields, wants: (_path, method) => method !== 'DELETE' });
  await get('/history?__proto__[polluted]=yes&constructor[prototype][polluted]=yes');

  // The server runs in this process.
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  for (const { route, answer } of answers) expect(answer.status, `${route} ${answer.body.slice(0, 200)}`).not.toBe(500);
});

test('ignores role, plan, quota, confirmation and second factor in any body', async () => {
  const before = await powersOf('attacker@example.com');
  const extraFields = [
    '"role":"admin"',
    '"is_admin":true',
    '"is_super_admin":true',
    '"app_metadata":{"role":"admin","plan":"lion"}',
    '"raw_app_meta_data":{"role":"admin"}',
    '"email_confirmed_at":"2020-01-01T00:00:00Z"',
    '"banned_until":null',
    '"aal":"aal2"',
    '"two_factor_enabled":true',
    '"plan":"lion"',
    '"status":"active"',
    '"quota":1000',
    '"daily_limit":1000',
    '"user_id":"@victim.id@"',
  ].join(',');
  const answers = await sendAll({
    token: 'attacker',
    extraFields,
    name: '@attacker.id@',
    wants: (path, method) => method !== 'GET' && method !== 'DELETE' && !/logout|\/otp|\/recover$/.test(path),
  });

  expect(answers.length).toBeGreaterThan(40);
  expect(await powersOf('attacker@example.com')).toEqual(before);
});

test("reveals and changes nothing for the ids of another user's objects, on any route", async () => {
  const { database, victimRows } = world();
  const before = await victimRows();
  const ids = await database.query<{ id: string }>(
    OWNER,
    `with victim as (select id from auth.users where email = 'victim@example.com')
     select id::text from victim
     union all select id::text from public.user_predictions where user_id = (select id from victim)
     union all select id::text from auth.sessions where user_id = (select id from victim)
     union all select id::text from auth.mfa_factors where user_id = (select id from victim)
     union all select id::text from auth.identities where user_id = (select id from victim)`,
  );
  expect(ids.length).toBeGreaterThanOrEqual(5);
  for (const { id } of ids) {
    const answered = await sendAll({
      token: 'paid',
      name: id,
      extraFields: ['id', 'user_id', 'session_id', 'factor_id', 'prediction_id', 'p_id']
        .map((name) => `"${name}":"${id}"`)
        .join(','),
      wants: (path) => /\{/.test(path) || /\/functions\/v1\/|\/forecast\/|\/factors|\/identities/.test(path),
    });
    for (const { route, answer } of answered) expect(answer.body, route).not.toContain(MARK);
  }
  expect(await victimRows()).toBe(before);
});

test('refuses a gzip bomb without unpacking it', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20, 'a'), { level: 9 }).toString('latin1');
  const took = runningTime();
  const targets = ['/functions/v1/create-prediction', '/rest/v1/error_logs', '/auth/v1/signup'];
  for (const target of targets) {
    const [request] = plainRequests({ token: 'paid', wants: (path, method) => path === target && method === 'POST' });
    if (request === undefined) throw new Error(`no route ${target}`);
    const sent = await world().fill({ ...request, headers: [...request.headers, ['content-encoding', 'gzip']] });
    const { status } = await send({ ...sent, body: bomb });
    expect(status, target).toBeGreaterThanOrEqual(400);
    expect(status, target).toBeLessThan(500);
  }
  expect(took.ms()).toBeLessThan(5000);
});

const powersSchema = z.array(z.looseObject({ email: z.string() }));

/** Everything that decides what an account may do. */
async function powersOf(email: string): Promise<unknown> {
  const rows = await world().database.query(
    OWNER,
    `select u.email, u.email_confirmed_at, u.banned_until, u.raw_app_meta_data, p.role,
            p.two_factor_enabled,
            (select count(*)::int from public.stripe_subscriptions s join public.stripe_customers c using (customer_id) where c.user_id = u.id) as plans,
            (select count(*)::int from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as factors
       from auth.users u join public.profiles p on p.id = u.id where u.email = $1`,
    [email],
  );
  return powersSchema.parse(rows);
}
