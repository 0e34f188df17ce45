import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { listen } from './listen.ts';

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

/** @returns the whole answer to a hand-written request */
async function answerTo(head: string, connection = 'close', prepare = (_server: Server) => {}): Promise<string> {
  const address = { host: '127.0.0.1', port: 0 };
  const server = await listen((request) => new Response(new URL(request.url).host), address, createLogger('silent'));
  opened.push(server);
  prepare(server);
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(`${head}connection: ${connection}\r\n\r\n`);
  return text(socket);
}

function takeUpgrades(server: Server): void {
  server.on('upgrade', (_request, socket) => socket.end('a socket'));
}

test('passes a request to the app', async () => {
  const answer = await answerTo('GET / HTTP/1.1\r\nhost: kat.test\r\n');

  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('kat.test');
});

test('keeps idle connections longer than the 60 s after which balancers close theirs', async () => {
  const answer = await answerTo('GET / HTTP/1.1\r\nhost: kat.test\r\n', 'keep-alive');

  expect(Number(/^keep-alive: timeout=(\d+)/im.exec(answer)?.[1])).toBeGreaterThan(60);
});

test.each(['h2c', 'TLS/1.0', 'websocket-ish'])(
  'answers an offer to upgrade to %s like a request without the offer',
  async (what) => {
    const answer = await answerTo(`GET / HTTP/1.1\r\nhost: kat.test\r\nupgrade: ${what}\r\n`, 'upgrade', takeUpgrades);

    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('kat.test');
  },
);

test('passes a WebSocket upgrade to the socket handler, or to the app without one', async () => {
  const head = 'GET / HTTP/1.1\r\nhost: kat.test\r\nupgrade: WebSocket\r\n';

  expect(await answerTo(head, 'upgrade', takeUpgrades)).toBe('a socket');
  expect(await answerTo(head, 'upgrade')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['a host with a path', 'GET / HTTP/1.1\r\nhost: kat.test/evil\r\n'],
  ['a host with a user', 'GET / HTTP/1.1\r\nhost: user@kat.test\r\n'],
  ['a host of blanks', 'GET / HTTP/1.1\r\nhost: a b\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n'],
])('refuses %s in JSON', async (_what, head) => {
  const answer = await answerTo(head);

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('application/json');
  expect(answer).toContain('"parameter":"host"');
});
