/** Signed webhooks from the event to the receiver: functions, signatures, retries, pauses, and what receivers do wrong. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { BRAND } from '../../server/backend/auth/mail/account-mails.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { callerReader } from '../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../server/platform/http/calls/server-function.ts';
import { limiterOfProcess } from '../../server/platform/http/guards/rate-limit.ts';
import { type GuardedPost, guardedPost } from '../../server/platform/outbound/guarded-post.ts';
import { publicLookup } from '../../server/platform/outbound/public-address.ts';
import { HOSTILE_URLS, LOCAL_URLS, OTHER_PORTS } from '../../server/platform/outbound/testing/hostile-addresses.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { setEndpointState } from '../../server/webhooks/webhook-endpoint-store.ts';
import { webhookFunctions } from '../../server/webhooks/webhook-functions.ts';
import { startWebhookWorker } from '../../server/webhooks/webhook-worker.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { runDeliveries } from '../support/webhooks/delivery-run.ts';
import { addEvents } from '../support/webhooks/webhook-world.ts';
import { functionCalls } from './support/auth/account.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 24 * 3_600_000;
const BAD_ADDRESS = 'webhooks/bad-address';
const refuseLookup = () => {
  throw new Error('a hostile address was looked up');
};
const WAIT = { timeout: WAIT_MS, interval: 20 };

interface Received {
  path: string;
  id: string;
  event: string;
  signature: string;
  body: string;
}

describeOneDatabase('webhooks', (kind) => {
  const received: Received[] = [];
  const lines: string[] = [];
  const open: { close(): Promise<void> }[] = [];
  let answer: (request: Received, response: ServerResponse) => void = (_, response) => void response.end('ok');
  const receiver = createServer((request, response) => void take(request, response));
  let url = '';

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const header = (name: string) => String(request.headers[name] ?? '');
    const one = {
      path: request.url ?? '',
      id: header('kat-event-id'),
      event: header('kat-event-type'),
      signature: header('kat-signature'),
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(one);
    answer(one, response);
  }

  beforeAll(async () => {
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const server = openedForTests(() =>
    backendTestServer(kind, {
      mount({ database, clock, verifier }) {
        const functions = webhookFunctions({
          database,
          clock,
          limiterOf: limiterOfProcess,
          sandboxUrl: url,
          sendsMails: true,
        });
        const app = new Hono();
        app.onError((error) => errorResponse(error));
        return app.route('/', functionRoutes({ callers: callerReader(verifier) }, functions));
      },
    }),
  );
  const call = functionCalls(server);
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await query('delete from public.webhook_endpoints');
    received.length = 0;
    answer = (_, response) => void response.end('ok');
  });

  const query = (text: string, params: unknown[] = []) =>
    asOwner(server().database).query<Record<string, unknown>>(text, params);
  const post = (timeoutMs = 10_000): GuardedPost => guardedPost({ sandboxUrl: url, timeoutMs, startLength: 200 });

  async function worker(post_: GuardedPost = post()) {
    const { database, clock } = server();
    const log = createLogger('trace', { write: (line) => lines.push(line) });
    const started = await startWebhookWorker({
      database,
      clock,
      log,
      post: post_,
      sendsMails: true,
      pollMs: 30,
      siteUrl: () => 'https://kat.test',
      mail: { brand: BRAND, siteUrl: () => 'https://kat.test' },
    });
    open.push(started);
    return started;
  }

  async function endpoint(name = 'a', events = ['prediction.created']) {
    const user = await server().confirmedUser();
    const created = await call(user.accessToken, 'create-webhook', { url: `${url}/hooks/${name}`, events });
    expect(created).toMatchObject({ ok: true });
    return { user, id: String(created.id), secret: String(created.secret) };
  }
  const happen = (userId: string, count = 1) => addEvents(server().database, userId, server().clock.nowMs(), count);
  const deliveries = async (endpointId: string) =>
    query(
      `select event_id::text as id, state, attempts, answer_status as status, problem, answer_start as start
         from public.webhook_deliveries d where endpoint_id = $1::text::uuid order by d.id`,
      [endpointId],
    );
  const stateOf = async (id: string) =>
    (
      await query('select state, pause_reason, failures from public.webhook_endpoints where id = $1::text::uuid', [id])
    )[0];
  const isSigned = ({ signature, body }: Received, secret: string) => {
    const time = /^t=(\d+)/.exec(signature)?.[1] ?? '';
    return signature.includes(`v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`);
  };

  test('delivers events in order, signed, and shows the secret and another user’s rows to no one', async () => {
    const { user, id, secret } = await endpoint();
    await worker();

    const events = await happen(user.id, 30);
    await vi.waitFor(async () => expect(received).toHaveLength(30), WAIT);

    expect(received.map((one) => one.id)).toEqual(events);
    expect(received.every((one) => isSigned(one, secret))).toBe(true);
    const [first] = received.map(({ body }) => JSON.parse(body));
    expect(first).toMatchObject({
      id: events[0],
      type: 'prediction.created',
      created: expect.stringMatching(/Z$/),
      data: { prediction: { sym: 'BTCUSDT.P', model: 'bobcat', market: 'simulated', timeframe: '1min' } },
    });
    await vi.waitFor(
      async () => expect((await deliveries(id)).filter(({ state }) => state === 'delivered')).toHaveLength(30),
      WAIT,
    );
    const stranger = await server().user();
    expect((await stranger.client.from('webhook_deliveries').select('id')).data).toEqual([]);
    expect((await user.client.from('webhook_deliveries').select('id')).data).toHaveLength(30);
    expect((await user.client.from('webhook_endpoints').select('secret')).error?.code).toBe('42501');
    expect(lines.join('')).not.toMatch(/whsec_|\/hooks\/|BTCUSDT/);
    const mails = await query('select kind from private.outgoing_mail where to_address = $1::text', [user.email]);
    expect(mails).toContainEqual({ kind: 'webhook_added' });
  });

  test('emails the owner when the address changes or the secret is rotated, not after a refusal', async () => {
    const { user, id } = await endpoint();
    const changed = async () =>
      (await query('select kind from private.outgoing_mail where to_address = $1::text', [user.email])).filter(
        ({ kind }) => kind === 'webhook_changed',
      ).length;
    const elsewhere = { url: 'https://elsewhere.example.com/x', events: ['alert.created'] };

    expect(await call(user.accessToken, 'update-webhook', { id, ...elsewhere })).toMatchObject({ ok: true });
    expect(await changed()).toBe(1);
    expect(await call(user.accessToken, 'rotate-webhook-secret', { id })).toMatchObject({ ok: true });
    expect(await changed()).toBe(2);
    const unknown = { id: '00000000-0000-4000-8000-000000000000', ...elsewhere };
    expect(await call(user.accessToken, 'update-webhook', unknown)).toMatchObject({ ok: false });
    expect(await changed()).toBe(2);
  });

  test('takes no endpoint at any hostile address, new or changed', async () => {
    const { user, id } = await endpoint();
    const events = ['alert.created'];
    for (const url of [...HOSTILE_URLS, ...LOCAL_URLS, ...OTHER_PORTS]) {
      for (const [name, body] of [
        ['create-webhook', { url, events }],
        ['update-webhook', { id, url, events }],
      ] as const) {
        const refused = await call(user.accessToken, name, body);
        // An empty field is refused by the form itself.
        expect([url, name, refused.reason ?? refused.status]).toEqual([url, name, url === '' ? 400 : BAD_ADDRESS]);
      }
    }
    expect(await query('select 1 from public.webhook_endpoints')).toHaveLength(1);
  });

  test('sends no event and no test to a hostile address, however it was stored', async () => {
    await worker(guardedPost({ sandboxUrl: null, timeoutMs: 2000, startLength: 20, lookup: refuseLookup }));
    for (const address of ['https://[::7f00:1]/', 'https://0x7f.1/', 'http://127.0.0.1:9/']) {
      const { user, id } = await endpoint();
      await query('update public.webhook_endpoints set url = $2::text where id = $1::text::uuid', [id, address]);
      expect(await call(user.accessToken, 'send-test-webhook', { id })).toMatchObject({ ok: true });
      await happen(user.id);
      await vi.waitFor(
        async () =>
          expect((await deliveries(id))[0]).toMatchObject({ problem: expect.stringMatching(/^(?:private|not https)/) }),
        WAIT,
      );
    }
    expect(received).toEqual([]);
  });

  test('allows five, also in parallel, and rejects unknown events and fields', async () => {
    const { accessToken } = await server().confirmedUser();
    const body = { url: 'https://hooks.example.com/x', events: ['alert.created'] };
    const created = await Promise.all(Array.from({ length: 7 }, () => call(accessToken, 'create-webhook', body)));

    expect(created.filter(({ ok }) => ok)).toHaveLength(5);
    expect(created.find(({ ok }) => ok === false)).toMatchObject({ reason: 'webhooks/too-many' });
    for (const bad of [
      { events: [] },
      { events: ['x'] },
      { events: ['alert.created', 'alert.created'] },
      { secret: 'x' },
    ])
      expect(await call(accessToken, 'create-webhook', { ...body, ...bad })).toMatchObject({ status: 400 });
  });

  test('lets no one touch another user’s endpoint or delivery', async () => {
    const { user, id } = await endpoint();
    await worker();
    await happen(user.id);
    await vi.waitFor(async () => expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered' }), WAIT);
    const [{ id: delivery } = {}] = await query('select id::int as id from public.webhook_deliveries');
    const stranger = await server().confirmedUser();
    const refused = (name: string, body: object) => call(stranger.accessToken, name, body);

    for (const name of ['remove-webhook', 'rotate-webhook-secret', 'send-test-webhook'])
      expect(await refused(name, { id })).toMatchObject({ ok: false, reason: 'webhooks/no-such-endpoint' });
    expect(await refused('set-webhook-state', { id, state: 'paused' })).toMatchObject({ ok: false });
    expect(await refused('update-webhook', { id, url: `${url}/hooks/b`, events: ['alert.created'] })).toMatchObject({
      reason: 'webhooks/no-such-endpoint',
    });
    for (const name of ['resend-webhook-delivery', 'skip-webhook-delivery'])
      expect(await refused(name, { id: delivery })).toMatchObject({ reason: 'webhooks/no-such-delivery' });
    expect(await stateOf(id)).toMatchObject({ state: 'active' });
  });

  test.each([
    ['answers 500', (response: ServerResponse) => void response.writeHead(500).end('password=hunter2'), 500, 'status'],
    [
      'redirects',
      (response: ServerResponse) => void response.writeHead(302, { location: '/in' }).end(),
      302,
      'redirect',
    ],
    ['hangs up', (response: ServerResponse) => void response.destroy(), null, 'ECONNRESET'],
    ['never answers', () => undefined, null, 'timeout'],
  ])('tries again with the same id when a receiver %s, and keeps the order', async (_what, fail, status, problem) => {
    const { user, id } = await endpoint();
    let isBroken = true;
    // Short only for a receiver that is silent: on a busy machine, an answer takes longer.
    await worker((address, request) => post(isBroken && problem === 'timeout' ? 200 : 10_000)(address, request));
    answer = (_, response) => (isBroken ? fail(response) : void response.end());
    const events = await happen(user.id, 3);

    await vi.waitFor(
      async () => expect((await deliveries(id))[0]).toMatchObject({ attempts: 1, status, problem }),
      WAIT,
    );
    isBroken = false;
    server().advance(10_000);
    await vi.waitFor(
      async () => expect((await deliveries(id)).map(({ state }) => state)).toEqual(Array(3).fill('delivered')),
      WAIT,
    );
    expect(received.map((one) => one.id)).toEqual([events[0], ...events]);
    expect(JSON.stringify(await deliveries(id))).not.toContain('hunter2');
  });

  test('counts a 2xx as delivered though megabytes follow it, and stores only its beginning', async () => {
    const { user, id } = await endpoint();
    await worker();
    answer = (_, response) => void response.end(`Bearer abc.def ${'x'.repeat(5_000_000)}`);
    await happen(user.id);

    await vi.waitFor(
      async () => expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered', attempts: 1 }),
      WAIT,
    );
    const [{ start } = {}] = await deliveries(id);
    expect(String(start).length).toBeLessThanOrEqual(200);
    expect(String(start)).toMatch(/^Bearer \[token\]/);
  });

  test('calls nothing when a name leads to a private address, whatever it led to when it was added', async () => {
    const user = await server().confirmedUser();
    const created = await call(user.accessToken, 'create-webhook', {
      url: 'https://rebinding.example/hooks',
      events: ['prediction.created'],
    });
    const lookup = publicLookup((_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]));
    await worker(guardedPost({ sandboxUrl: null, timeoutMs: 2000, startLength: 20, lookup }));
    await happen(user.id);

    await vi.waitFor(
      async () =>
        expect((await deliveries(String(created.id)))[0]).toMatchObject({
          problem: 'private address',
          state: 'waiting',
        }),
      WAIT,
    );
    expect(received).toEqual([]);
  });

  test('pauses an endpoint that accepted nothing for a day, emails its owner once, and resumes in order', async () => {
    const { user, id } = await endpoint();
    await worker();
    answer = (_, response) => void response.writeHead(503).end();
    const events = await happen(user.id, 2);
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ failures: 1 }), WAIT);

    for (let hours = 0; hours < 30 && (await stateOf(id))?.state === 'active'; hours++) {
      const failures = (await stateOf(id))?.failures;
      server().advance(DAY_MS / 4);
      await vi.waitFor(async () => expect((await stateOf(id))?.failures).not.toBe(failures), WAIT);
    }
    expect(await stateOf(id)).toMatchObject({ state: 'paused', pause_reason: 'failing' });
    const mails = await query(
      "select subject, text_body from private.outgoing_mail where to_address = $1::text and kind = 'webhook_paused'",
      [user.email],
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text_body).toContain('2 events are waiting');
    expect(mails[0]?.text_body).toContain('https://kat.test/account/security#webhooks');
    events.push(...(await happen(user.id)));
    received.length = 0;
    answer = (_, response) => void response.end();
    // The session has ended by now.
    await setEndpointState(asOwner(server().database), user.id, { id, state: 'active' }, server().clock.nowMs());
    await vi.waitFor(() => expect(received.map((one) => one.id)).toEqual(events), WAIT);
    expect(await stateOf(id)).toMatchObject({ state: 'active', pause_reason: null });
  });

  test('sends nothing for a banned user, neither what waits nor what happens then, and goes on after the ban', async () => {
    const [banned, other] = [await endpoint('banned'), await endpoint('other')];
    const ban = (until: string | null) =>
      query('update auth.users set banned_until = $2::text::timestamptz where id = $1::text::uuid', [
        banned.user.id,
        until,
      ]);
    const arrivedAt = (name: string) => received.filter(({ path }) => path.endsWith(name)).map(({ id }) => id);
    const first = await worker();
    answer = (_, response) => void response.writeHead(503).end();
    const waiting = await happen(banned.user.id);
    await vi.waitFor(async () => expect(await stateOf(banned.id)).toMatchObject({ failures: 1 }), WAIT);
    await first.close();
    open.length = received.length = 0;

    await ban('infinity');
    await happen(banned.user.id, 2);
    const events = await happen(other.user.id, 2);
    answer = (_, response) => void response.end();
    server().advance(10_000);
    await worker();
    await vi.waitFor(() => expect(arrivedAt('other')).toEqual(events), WAIT);
    await vi.waitFor(async () => expect(await query('select 1 from private.webhook_events')).toEqual([]), WAIT);
    expect(arrivedAt('banned')).toEqual([]);

    await ban(null);
    const later = await happen(banned.user.id);
    await vi.waitFor(() => expect(arrivedAt('banned')).toEqual([...waiting, ...later]), WAIT);
  });

  test('pauses immediately at 410', async () => {
    const { user, id } = await endpoint();
    await worker();
    answer = (_, response) => void response.writeHead(410).end();
    await happen(user.id);

    await vi.waitFor(
      async () => expect(await stateOf(id)).toMatchObject({ state: 'paused', pause_reason: 'closed' }),
      WAIT,
    );
    expect(await call(user.accessToken, 'send-test-webhook', { id })).toMatchObject({ reason: 'webhooks/paused' });
    answer = (_, response) => void response.end();
    await call(user.accessToken, 'set-webhook-state', { id, state: 'active' });
    await vi.waitFor(async () => expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered' }), WAIT);
  });

  test('signs with both secrets for a day after a rotation, and then with the new one', async () => {
    const { user, id, secret } = await endpoint();
    const rotated = String((await call(user.accessToken, 'rotate-webhook-secret', { id })).secret);
    await worker();
    await happen(user.id);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);

    expect(rotated).not.toBe(secret);
    for (const one of [secret, rotated]) expect(received.every((request) => isSigned(request, one))).toBe(true);
    server().advance(DAY_MS + 1000);
    await happen(user.id);
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT);
    const last = received.at(-1) as Received;
    expect([isSigned(last, secret), isSigned(last, rotated)]).toEqual([false, true]);
  });

  test('sends a test, repeats a delivery with its id, and skips one that its receiver refuses', async () => {
    const { user, id } = await endpoint();
    await worker();
    expect(await call(user.accessToken, 'send-test-webhook', { id })).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(received[0]).toMatchObject({ event: 'endpoint.test' });
    await vi.waitFor(async () => expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered' }), WAIT);

    const [{ id: first } = {}] = await query('select id::int as id from public.webhook_deliveries');
    expect(await call(user.accessToken, 'resend-webhook-delivery', { id: first })).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(received).toHaveLength(2), WAIT);
    expect(received[1]?.id).toBe(received[0]?.id);

    let refused = '';
    answer = (one, response) => void response.writeHead(one.id === refused ? 400 : 204).end();
    const [poison = '', next = ''] = await happen(user.id, 2).then((ids) => {
      refused = ids[0] ?? '';
      return ids;
    });
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ failures: 1 }), WAIT);
    const [{ id: waiting } = {}] = await query(
      'select id::int as id from public.webhook_deliveries where event_id = $1::text::uuid',
      [poison],
    );
    expect(await call(user.accessToken, 'skip-webhook-delivery', { id: waiting })).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(received.at(-1)?.id).toBe(next), WAIT);
    expect(await call(user.accessToken, 'skip-webhook-delivery', { id: waiting })).toMatchObject({ ok: false });
  });

  test('delays no one else while many receivers hang', async () => {
    const hanging = [];
    for (let n = 0; n < 40; n++) hanging.push(await endpoint('hangs'));
    const prompt = await endpoint('prompt');
    await worker((address, request) => post(address.endsWith('hangs') ? 1000 : 10_000)(address, request));
    answer = (one, response) => (one.path.endsWith('prompt') ? void response.end() : undefined);
    for (const { user } of hanging) await happen(user.id);
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(31), WAIT);

    const ids = await happen(prompt.user.id, 5);
    await vi.waitFor(() => expect(received.filter(({ path }) => path.endsWith('prompt'))).toHaveLength(5), WAIT);
    expect(received.filter(({ path }) => path.endsWith('prompt')).map(({ id }) => id)).toEqual(ids);
  });

  test('announces the public forecast and no other, and an alert with the text of the site', async () => {
    const { user } = await endpoint('all', ['alert.created', 'forecast.issued']);
    await worker();
    const facts = {
      kind: 'models-disagree',
      sym: 'BTCUSDT.P',
      marketKind: 'simulated',
      slotS: 1_800_000_000,
      costBp: 10,
    };
    await query(
      `insert into public.alerts (user_id, kind, subject, facts, made_at)
       values ($1::text::uuid, 'models-disagree', 'x', $2::text::jsonb, now())`,
      [user.id, JSON.stringify(facts)],
    );
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'alert.created',
      data: { alert: { title: 'Models disagree about BTC', url: 'https://kat.test/track-record', facts } },
    });
    // The database's trigger cannot read the constant.
    const [{ condition } = {}] = await query(
      "select pg_get_triggerdef(oid) as condition from pg_trigger where tgname = 'track_records_announce' and tgparentid = 0",
    );
    expect(condition).toContain(`'${PUBLIC_FORECAST.sym}'`);
    expect(condition).toContain(`'${PUBLIC_FORECAST.model}'`);
  });

  test('sends what a stopped process had under way again, and loses nothing', async () => {
    const { user, id } = await endpoint();
    const first = await worker();
    answer = () => undefined;
    const events = await happen(user.id, 2);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    await first.close();
    open.length = 0;

    answer = (_, response) => void response.end();
    await worker();
    await vi.waitFor(
      async () => expect((await deliveries(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
      WAIT,
    );
    expect(received.map((one) => one.id)).toEqual([events[0], ...events]);
  });

  test('delivers each event once and in order to receivers that fail in every way', async () => {
    const run = await runDeliveries(server().database, {
      deliveries: sampleSize(120, 2000),
      perSecond: 60,
      endpoints: 2,
      slowMs: 1100,
      // A slow receiver is in time on a busy machine too: what times out is delivered again.
      timeoutMs: WAIT_MS / 20,
      waitsMs: [100, 300, 1000],
      faultShare: 0.05,
      moveEveryMs: 1500,
      workers: 2,
      giveUpMs: sampleSize(1.5, 15) * WAIT_MS,
    });

    expect(run).toMatchObject({ lost: 0, repeated: 0, disordered: 0 });
  }, 1_000_000);
});
