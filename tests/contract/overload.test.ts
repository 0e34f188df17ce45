/** A server that receives many times the requests it can serve, over real connections. */
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { SHED_HEADER } from '#domain/errors/shed.ts';
import { openProcessAdmission } from '../../server/compose/admission.ts';
import { listen } from '../../server/platform/http/listen.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { WORK_RULES } from '../../server/work-classes.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

/** Each call blocks the loop for this long, so a second has room for a hundred. */
const CALL_MS = 10;
const CROWD = 300;
let waitingForDatabase = 0;
beforeEach(() => {
  waitingForDatabase = 0;
});

async function startServer(options: { rules?: typeof WORK_RULES; isPatient?: boolean } = {}) {
  let begun = 0;
  const app = new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/history', (c) => {
      begun += 1;
      const untilMs = performance.now() + CALL_MS;
      while (performance.now() < untilMs);
      return c.json({ ok: true });
    })
    .get('/stream-kat2', (c) => c.json({ ok: true }))
    .get('/', (c) => c.text('the page'));
  const pool = () => ({ size: 10, inUse: 10, waiting: waitingForDatabase });
  const admission = openProcessAdmission({ database: { pool }, trustedProxies: 0, ...options });
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, admission }, createLogger('silent'));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    admission,
    begun: () => begun,
    connections: () => promisify(server.getConnections.bind(server))(),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      admission.close();
    },
  };
}

const world = openedForTests(() => startServer());
/** Calls may wait as long as a slow machine needs to deliver them. */
const LONG = { maxExpectedMs: 60_000, maxWaitMs: 60_000, patienceMs: 60_000 };
const patient = openedForTests(() => startServer({ rules: { ...WORK_RULES, call: { ...WORK_RULES.call, ...LONG } } }));
const neverRefusing = openedForTests(() => startServer({ isPatient: true }));

/** Streams are always refused, as in the largest crowd. */
const NONE = { few: 0, crowd: 0, maxExpectedMs: -1 };
const full = openedForTests(() => startServer({ rules: { ...WORK_RULES, stream: { ...WORK_RULES.stream, ...NONE } } }));

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

function send(agent: Agent, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  get(url, { agent, headers }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
  }).once('error', reject);
  return promise;
}

test('serves some of a crowd, refuses the others as busy, and still answers health checks', async () => {
  const { url, admission, begun } = world();
  const agent = new Agent({ keepAlive: true, maxSockets: CROWD });
  // Connects first: a loop accepts few new connections in each turn, and the others would wait in the kernel.
  await Promise.all(Array.from({ length: CROWD }, () => send(agent, `${url}/healthz`)));
  const crowd = Array.from({ length: CROWD }, () => send(agent, `${url}/history`));
  const health = await send(agent, `${url}/healthz`);
  expect(health.status).toBe(200);

  const answers = await Promise.all(crowd);
  agent.destroy();
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(begun());
  expect(begun()).toBeGreaterThan(0);
  expect(refused).toHaveLength(CROWD - begun());
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, text } of refused) {
    expect(headers[SHED_HEADER]).toBe('call');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({ code: 'server/busy' });
  }
  const call = admission.facts().classes.find(({ name }) => name === 'call');
  expect(call).toMatchObject({ waiting: 0, admitted: begun(), refused: refused.length });
});

test('does no work for callers who disconnect while they wait for the database', async () => {
  const { url, admission, begun, connections } = patient();
  waitingForDatabase = 1000;
  const before = begun();
  const leaving = new AbortController();
  const crowd = Array.from({ length: 20 }, () => fetch(`${url}/history`, { signal: leaving.signal }).catch(() => null));
  const callClass = () => admission.facts().classes.find(({ name }) => name === 'call');
  await expect.poll(() => callClass()?.waiting).toBe(20);
  leaving.abort();
  await Promise.all(crowd);
  // The server learns of it from its sockets. Idle ones of earlier tests close in some seconds.
  await expect.poll(connections).toBe(0);
  waitingForDatabase = 0;

  await expect.poll(() => callClass()?.left).toBe(20);
  expect(begun()).toBe(before);
});

test('refuses a page with a document that says Kat is busy', async () => {
  const { url, admission } = patient();
  waitingForDatabase = 1000;
  const calls = Array.from({ length: WORK_RULES.call.crowd }, () => fetch(`${url}/history`));
  const callClass = () => admission.facts().classes.find(({ name }) => name === 'call');
  await expect.poll(() => callClass()?.waiting).toBe(calls.length);
  await expect.poll(() => callClass()?.oldestMs).toBeGreaterThan(150);
  await expect.poll(() => admission.bookEveryMs()).toBeGreaterThan(0);
  const page = await fetch(`${url}/`);
  waitingForDatabase = 0;

  expect(page.status).toBe(503);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('Kat is busy right now');
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
});

test('serves the whole crowd and keeps order books at full speed with DEVELOPMENT=patient', async () => {
  const { url, admission, begun } = neverRefusing();
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  await Promise.all(Array.from({ length: 100 }, () => send(agent, `${url}/healthz`)));

  const answers = await Promise.all(Array.from({ length: 100 }, () => send(agent, `${url}/history`)));
  agent.destroy();

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(begun()).toBe(100);
  expect(admission.bookEveryMs()).toBe(0);
});

test('lets only the resumed stream of a verified user past a crowd, whatever others put into its header', async () => {
  const { url, admission } = full();
  admission.identifyBy(async (token) => {
    if (token === 'broken') throw new Error('no token');
    return token === 'real' ? 'ada' : null;
  });
  const agent = new Agent();
  const statusOf = async (headers: Record<string, string>) =>
    (await send(agent, `${url}/stream-kat2?sym=BTCUSDT.P`, headers)).status;
  const resumed = { 'last-event-id': '22222222-2222-4222-8222-222222222222:3' };

  expect(await statusOf({ ...resumed, authorization: 'Bearer real' })).toBe(200);
  expect(await statusOf({ authorization: 'Bearer real' })).toBe(503);
  for (const token of ['invented', 'broken', ''])
    expect(await statusOf({ ...resumed, authorization: `Bearer ${token}` })).toBe(503);
  expect(await statusOf({ 'last-event-id': 'x' })).toBe(503);
  agent.destroy();
});
