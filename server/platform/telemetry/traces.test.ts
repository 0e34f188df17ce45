import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { createLogger } from './log.ts';
import { requestSteps } from './request-steps.ts';
import { currentTraceId, step, watchSteps } from './steps.ts';
import { openTraces, type Traces } from './traces.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SAMPLED = `00-${TRACE}-b7ad6b7169203331-01`;
const NOT_SAMPLED = `00-${TRACE}-b7ad6b7169203331-00`;

let bodies: string[];
const undo: (() => unknown)[] = [];

/** @returns a function that closes it and so sends everything */
async function trace(share: number): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    bodies.push(text);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const collector = { url: `http://127.0.0.1:${port}`, headers: {} };
  const traces: Traces = await openTraces({
    log: createLogger('silent'),
    service: { name: 'kat', version: '1', instanceId: 'one' },
    collector,
    share,
  });
  const unwatch = watchSteps(traces);
  undo.push(unwatch, () => server.close());
  return () => traces.close();
}

const siteOf = (hasTrustedProxies: boolean) => {
  const app = new Hono();
  app.use('*', requestSteps({ pageOf: () => null, hasTrustedProxies }));
  return app.get('/things/:id', (c) => c.json({ traceId: currentTraceId() }));
};
async function traceOf(app: Hono, traceparent: string): Promise<string> {
  const answer = await app.request('/things/7?token=MARKED', { headers: { traceparent } });
  return z.looseObject({ traceId: z.string() }).parse(await answer.json()).traceId;
}

beforeEach(() => {
  bodies = [];
});
afterEach(() => {
  for (const one of undo.splice(0)) one();
});

test('continues a trusted proxy’s trace, and ignores any other', async () => {
  await trace(1);

  expect(await traceOf(siteOf(true), SAMPLED)).toBe(TRACE);
  for (const [isTrusted, parent] of [
    [false, SAMPLED],
    [true, `${SAMPLED}0`],
    [true, `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    [true, ''],
  ] as const) {
    const traceId = await traceOf(siteOf(isTrusted), parent);
    expect([parent, traceId]).toEqual([parent, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(traceId).not.toBe(TRACE);
  }
});

test('sends nothing of an unsampled trace, but provides its id for the log', async () => {
  const close = await trace(1);

  expect(await traceOf(siteOf(true), NOT_SAMPLED)).toBe(TRACE);
  await close();

  expect(bodies).toEqual([]);
});

test('names a span after the route pattern, never after the requested path', async () => {
  const close = await trace(1);
  await traceOf(siteOf(true), SAMPLED);
  await close();

  const sent = bodies.join('');
  expect(sent).toContain('"GET /things/:id"');
  expect(sent).toMatch(/"service.instance.id".{0,30}"one"/);
  expect(sent).not.toMatch(/MARKED|things\/7/);
});

test('sends the code of an error, but never its message', async () => {
  const close = await trace(1);
  const failing = (error: Error) =>
    step({ kind: 'job', name: 'x' }, () => Promise.reject(error)).catch(() => undefined);
  await failing(new AppError('database/busy', { cause: new Error('MARKED') }));
  await failing(new RangeError('MARKED'));
  await close();

  const sent = bodies.join('');
  expect(sent).toContain('database/busy');
  expect(sent).toContain('RangeError');
  expect(sent).not.toContain('MARKED');
});

test('starts no trace for a statement outside any request', async () => {
  const close = await trace(1);
  await step({ kind: 'statement', name: 'select' }, async () => expect(currentTraceId()).toBeUndefined());
  await close();

  expect(bodies).toEqual([]);
});
