/** Answers are read whole up to a limit; the addresses are guarded as those of posts. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { guardedCall } from './guarded-call.ts';
import { CallFailed } from './guarded-request.ts';

const never = new AbortController().signal;
const GET = { method: 'GET', headers: {}, body: null, signal: never } as const;

async function loopbackServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const reasonOf = (called: Promise<unknown>) =>
  called.then(
    () => 'answered',
    (error: unknown) => (error instanceof CallFailed ? error.message : String(error)),
  );

test('returns the whole answer with its status, and sends method, headers and bytes as they are', async () => {
  const received: unknown[] = [];
  const url = await loopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push([request.method, request.headers['x-mark'], Buffer.concat(chunks).toString('hex')]);
    response.writeHead(429, { 'retry-after': '3' }).end('{"ok":false,"text":"ä€"}');
  });
  const bytes = new Uint8Array([0, 255, 13, 10]);
  const request = { method: 'PUT', headers: { 'x-mark': 'one' }, body: bytes, signal: never } as const;

  const answer = await guardedCall({ sandboxUrl: url })(`${url}/x`, request);

  expect(answer).toEqual({ status: 429, body: '{"ok":false,"text":"ä€"}', retryAfterMs: 3000 });
  expect(received).toEqual([['PUT', 'one', '00ff0d0a']]);
});

test('reads an answer of exactly the limit, gives up on one byte more, and closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await loopbackServer((request, response) => {
    if (request.url === '/exact') return void response.end('x'.repeat(65_536));
    response.once('close', () => closed.resolve());
    const write = () => {
      while (!response.destroyed) if (!response.write('x'.repeat(65_536))) return void response.once('drain', write);
    };
    write();
  });
  const call = guardedCall({ sandboxUrl: url });

  expect((await call(`${url}/exact`, GET)).body).toHaveLength(65_536);
  expect(await reasonOf(call(`${url}/endless`, GET))).toBe('too large');
  await closed.promise;
});

test('gives up on an answer that drips, breaks off or never begins', async () => {
  const url = await loopbackServer((request, response) => {
    if (request.url === '/silent') return;
    response.write('{');
    if (request.url === '/broken') return void setTimeout(() => response.destroy(), 20);
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });
  const call = guardedCall({ sandboxUrl: url });

  expect(await reasonOf(call(`${url}/silent`, { ...GET, timeoutMs: 200 }))).toBe('timeout');
  expect(await reasonOf(call(`${url}/drips`, { ...GET, timeoutMs: 200 }))).toBe('timeout');
  expect(await reasonOf(call(`${url}/broken`, GET))).toBe('ECONNRESET');
});

test('follows no redirect, and rejects with the caller’s reason when stopped', async () => {
  const paths: string[] = [];
  const url = await loopbackServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(307, { location: '/inside' }).end('moved');
  });
  const call = guardedCall({ sandboxUrl: url });

  expect(await call(`${url}/moved`, GET)).toMatchObject({ status: 307, body: 'moved' });
  expect(paths).toEqual(['/moved']);
  const stopping = new AbortController();
  const called = call(`${url}/silent`, { ...GET, signal: stopping.signal });
  stopping.abort(new Error('stopping'));
  await expect(called).rejects.toThrow('stopping');
});
