/** The live socket on the whole server, as `npm start` composes it. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';
import { openPage, type TestPage } from './support/market/live-socket.ts';

const ALLOWED = 'https://app.example';
let lastPage: TestPage | null = null;

const world = openedForTests(async () => {
  const database = await openTestDatabase(dayDatabase);
  const server = await startWholeServer(database, { env: { ALLOWED_ORIGINS: ALLOWED } });
  return {
    url: server.url,
    wsUrl: `${server.url.replace('http:', 'ws:')}/market/ws`,
    async close() {
      // A server that does not end its sockets first waits for them forever, and this would time out.
      await server.close();
      await database.close();
      expect(lastPage?.closeCode).toBe(1001);
    },
  };
});

test('serves books to our own and allowed pages, and refuses other pages a socket', async () => {
  const [own, allowed] = [
    await openPage(world().wsUrl, { origin: world().url }),
    await openPage(world().wsUrl, { origin: ALLOWED }),
  ];
  for (const page of [own, allowed]) page.request('subscribe', ['DOGE-USD'], ['level2', 'ticker', 'heartbeat']);

  await vi.waitFor(() => expect([own.books.size, allowed.books.size]).toEqual([1, 1]));
  await vi.waitFor(() => expect(own.of('heartbeat').length).toBeGreaterThan(0));
  await expect(openPage(world().wsUrl, { origin: 'https://evil.example' })).rejects.toThrow('403');
  await expect(openPage(world().wsUrl, { host: 'evil.example' })).rejects.toThrow('421');
  await expect(openPage(`${world().wsUrl}/other`)).rejects.toThrow('404');
  expect((await fetch(`${world().url}/market/ws`)).status).toBe(404);
  allowed.socket.terminate();
  lastPage = own;
});

test.each(['/healthz', '/config.json'])('answers %s normally despite an offer to upgrade to HTTP/2', async (path) => {
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  const request = get(`${world().url}${path}`, { headers });

  const [response]: IncomingMessage[] = await once(request, 'response');

  expect(response?.statusCode).toBe(200);
  response?.resume();
});
