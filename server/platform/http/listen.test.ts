import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { listen, stopServer } from './listen.ts';

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

test('stops once the running requests are answered, although their clients keep the connections', async () => {
  const answer = Promise.withResolvers<Response>();
  const received = Promise.withResolvers<void>();
  const app = () => {
    received.resolve();
    return answer.promise;
  };
  const server = await listen(app, { host: '127.0.0.1', port: 0 }, createLogger('silent'));
  // Then no side ever ends an idle connection.
  server.keepAliveTimeout = 0;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: kat.test\r\n\r\n');
  const answered = text(socket);
  await received.promise;

  const stopped = stopServer(server, undefined, 1_000_000);
  answer.resolve(new Response('finished'));

  expect(await answered).toContain('finished');
  await stopped;
});

test('cuts a request off that is not answered within the time it has left', async () => {
  const received = Promise.withResolvers<void>();
  const never = () => {
    received.resolve();
    return new Promise<Response>(() => {});
  };
  const server = await listen(never, { host: '127.0.0.1', port: 0 }, createLogger('silent'));
  const request = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then(
    () => 'answered',
    () => 'cut off',
  );
  await received.promise;

  await stopServer(server, undefined, 1);

  expect(await request).toBe('cut off');
});
