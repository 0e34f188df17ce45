import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { PROVIDER_TIMEOUT_MS, ProviderFailure, providerFetch } from './provider-call.ts';

const servers: Server[] = [];

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('returns an answer with status, headers and body', async () => {
  const url = await serve((_request, response) => response.writeHead(418, { 'x-tea': 'green' }).end('{"a":1}'));

  const answer = await providerFetch(PROVIDER_TIMEOUT_MS)(url, {});

  expect([answer.status, answer.headers.get('x-tea'), await answer.json()]).toEqual([418, 'green', { a: 1 }]);
});

test('rejects an endless answer once it is too large', async () => {
  const url = await serve((_request, response) => {
    const pour = () => {
      while (response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', pour);
    pour();
  });

  await expect(providerFetch(PROVIDER_TIMEOUT_MS)(url, {})).rejects.toThrow('too large');
});

test.each([
  ['before its head', false],
  ['in its body', true],
])('times out on an answer that stops %s', async (_where, hasHead) => {
  const url = await serve((_request, response) => {
    if (hasHead) response.writeHead(200).write('{');
  });

  await expect(providerFetch(100)(url, {})).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('follows no redirect, which would carry secrets elsewhere', async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());

  expect((await providerFetch(PROVIDER_TIMEOUT_MS)(url, {})).status).toBe(302);
});

test('reports names and codes of a failure, without text that may contain a secret', () => {
  const inner = Object.assign(new Error('code=4/secret'), {
    name: 'ResponseBodyError',
    error: 'invalid_grant',
    status: 400,
  });
  const outer = Object.assign(new Error('token gho_secret', { cause: inner }), { code: 'OAUTH_INVALID_RESPONSE' });

  const failure = new ProviderFailure('google', 'exchange', outer);

  expect(failure.reason).toBe('Error/OAUTH_INVALID_RESPONSE < ResponseBodyError/invalid_grant/400');
  expect(`${failure.message} ${failure.stack} ${String(failure.cause)}`).not.toContain('secret');
});
