import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { requesterOf } from './auth-deps.ts';

test('aborts the signal when a caller closes the connection while a password waits', async () => {
  const called = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<string>();
  const app = new Hono().post('/', async (c) => {
    await c.req.text();
    const { address, signal } = requesterOf(c, { clientAddress: () => '192.0.2.1' });
    signal?.addEventListener('abort', () => aborted.resolve(address));
    called.resolve();
    await aborted.promise;
    return c.text('no one reads this');
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const leaving = new AbortController();

  const answer = fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'a password', signal: leaving.signal });
  await called.promise;
  leaving.abort();

  await expect(answer).rejects.toThrow();
  await expect(aborted.promise).resolves.toBe('192.0.2.1');
  await new Promise((done) => server.close(done));
});
