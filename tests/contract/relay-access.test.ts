/** Who may connect to a relay, how many may, and how little each may send. */
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { textFrame } from '../../server/platform/sockets/frame-outbox.ts';
import type { RelayReader } from '../../server/platform/sockets/relay-reader.ts';
import { openSocketRelay, type RelayLimits } from '../../server/platform/sockets/socket-relay.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { listenAnywhere, openPage } from './support/market/live-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Accepts 'right' as a valid request. */
async function startRelay(
  limits: Partial<RelayLimits> = {},
  addressOf: (request: IncomingMessage) => string = () => 'one',
) {
  const readers: RelayReader[] = [];
  const received: string[] = [];
  let left = 0;
  const relay = openSocketRelay({
    path: '/live',
    log: createLogger('silent'),
    isOwnHost: (host) => host.startsWith('127.0.0.1') || host === 'kat.example',
    allowedOrigins: ['https://friend.example'],
    addressOf,
    limits,
    join(reader) {
      readers.push(reader);
      return {
        message(text) {
          received.push(text);
          return text === 'right';
        },
        closed() {
          left += 1;
        },
      };
    },
  });
  const { server, wsUrl } = await listenAnywhere(createServer((_request, response) => response.end('plain')));
  relay.attach(server);
  undo.push(() => {
    relay.close();
    server.closeAllConnections();
    server.close();
  });
  const open = async (headers: Record<string, string> = {}) => {
    const page = await openPage(`${wsUrl}/live`, headers);
    undo.push(() => page.socket.terminate());
    return page;
  };
  return { relay, server, wsUrl, open, readers, received, left: () => left };
}

test.each([
  ['our own page', { host: 'kat.example', origin: 'https://kat.example' }, null],
  ['a page of a setting', { host: 'kat.example', origin: 'https://friend.example' }, null],
  ['a program without origin', { host: 'kat.example' }, null],
  ['a page served beside us on this machine', { origin: 'http://localhost:5173' }, null],
  ['a page of another site', { host: 'kat.example', origin: 'https://evil.example' }, '403'],
  ['a page on the machine of a visitor', { host: 'kat.example', origin: 'http://localhost:5173' }, '403'],
  ['a sandboxed frame', { host: 'kat.example', origin: 'null' }, '403'],
  [
    'a page that writes our name into its own',
    { host: 'kat.example', origin: 'https://kat.example.evil.example' },
    '403',
  ],
  ['a name that is not ours', { host: 'evil.example', origin: 'http://evil.example' }, '421'],
])('accepts or refuses a connection from %s', async (_who, headers, status) => {
  const { open, relay } = await startRelay();

  if (status === null) await open(headers);
  else await expect(open(headers)).rejects.toThrow(status);

  const { connections, refused } = relay.state();
  expect(connections).toBe(status === null ? 1 : 0);
  expect(refused.host + refused.origin).toBe(status === null ? 0 : 1);
});

test('returns 404 for a socket at another path, and lets plain requests pass', async () => {
  const { wsUrl } = await startRelay();

  await expect(openPage(`${wsUrl}/live/x`)).rejects.toThrow('404');
  await expect(openPage(`${wsUrl}/`)).rejects.toThrow('404');
  const answer = await fetch(`${wsUrl.replace('ws:', 'http:')}/live`);
  expect(await answer.text()).toBe('plain');
});

test('limits connections per address and in total, and accepts more after one closes', async () => {
  const { open, relay } = await startRelay({ connections: 3, connectionsPerAddress: 2 }, (request) =>
    String(request.headers['x-who']),
  );
  const [first] = [await open({ 'x-who': 'a' }), await open({ 'x-who': 'a' })];

  await expect(open({ 'x-who': 'a' })).rejects.toThrow('429');
  await open({ 'x-who': 'b' });
  await expect(open({ 'x-who': 'c' })).rejects.toThrow('503');
  expect(relay.state()).toMatchObject({ connections: 3, refused: { address: 1, full: 1 } });

  first.socket.close();
  await vi.waitFor(() => expect(relay.state().connections).toBe(2));
  await open({ 'x-who': 'a' });
});

test('spreads the openings of an address, of which no other address notices anything', async () => {
  const { open, relay } = await startRelay({ openingsPer10S: 10 }, (request) => String(request.headers['x-who']));
  const opened: string[] = [];
  const opening = (who: string) => open({ 'x-who': who }).then(() => opened.push(who));

  // Two immediately, then one each second.
  const hasty = Array.from({ length: 4 }, () => opening('hasty'));
  await vi.waitFor(() => expect(relay.state().connections).toBe(2));
  await opening('other');

  expect(opened).toEqual(['hasty', 'hasty', 'other']);
  await Promise.all(hasty);
  expect(opened).toHaveLength(5);
  expect(relay.state()).toMatchObject({ connections: 5, refused: { address: 0 } });
});

test('refuses openings that would wait longer than ten seconds, each after a second', async () => {
  const { open, relay } = await startRelay({ openingsPer10S: 1 }, (request) => String(request.headers['x-who']));
  await open({ 'x-who': 'hasty' });
  // Waits for ten seconds, which no one awaits.
  open({ 'x-who': 'hasty' }).catch(() => undefined);
  const startMs = performance.now();

  await expect(open({ 'x-who': 'hasty' })).rejects.toThrow('429');

  expect(performance.now() - startMs).toBeGreaterThan(990);
  await open({ 'x-who': 'other' });
  expect(relay.state().refused.address).toBe(1);
});

test('sends no frames to a reader that answers no ping, and continues when it does', async () => {
  const { wsUrl, readers, relay } = await startRelay({ pingMs: 60_000, firstAnswerMs: 100 });
  const socket = new WebSocket(`${wsUrl}/live`, { autoPong: false });
  undo.push(() => socket.terminate());
  const pinged = new Promise<Buffer>((resolve) => socket.once('ping', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  const [reader] = readers;
  expect(reader?.offer(textFrame('first'))).toBe(true);

  await vi.waitFor(() => expect(reader?.offer(textFrame('late'))).toBe(false));
  expect([reader?.isDrained, relay.state().leftOut]).toEqual([false, 1]);
  socket.pong(await pinged);

  await vi.waitFor(() => expect(reader?.isDrained).toBe(true));
  expect(reader?.offer(textFrame('again'))).toBe(true);
});

test('closes a connection without a valid request in time, and keeps one that has made it', async () => {
  const { open, relay, received } = await startRelay({ firstRequestMs: 150 });
  const [idle, wrong, right] = [await open(), await open(), await open()];

  wrong.socket.send('wrong');
  right.socket.send('right');

  await vi.waitFor(() => expect([idle.closeCode, wrong.closeCode]).toEqual([1008, 1008]));
  expect(received.sort()).toEqual(['right', 'wrong']);
  expect(right.closeCode).toBeNull();
  expect(relay.state()).toMatchObject({ connections: 1, dismissed: { idle: 2 } });
});

test('closes a connection for too long a message, too many messages or too many pings', async () => {
  const { open, relay, received } = await startRelay({ messageBytes: 100, messagesPer10S: 5 });
  const [long, many, pinging] = [await open(), await open(), await open()];

  long.socket.send('x'.repeat(101));
  for (let i = 0; i < 8; i++) many.socket.send('right');
  for (let i = 0; i < 8; i++) pinging.socket.ping();

  await vi.waitFor(() => expect([long.closeCode, many.closeCode, pinging.closeCode]).toEqual([1009, 1008, 1008]));
  expect(received).toHaveLength(5);
  expect(relay.state().dismissed.talkative).toBe(2);
});

test('limits messages in any ten seconds, wherever they begin', async () => {
  const { open, received } = await startRelay({ messagesPer10S: 5 });
  const [patient, hasty] = [await open(), await open()];
  const startMs = performance.now();
  const now = vi.spyOn(performance, 'now');
  undo.push(() => now.mockRestore());
  const send = async (page: typeof patient, atMs: number) => {
    now.mockReturnValue(startMs + atMs);
    const before = received.length;
    for (let i = 0; i < 5; i++) page.socket.send('right');
    await vi.waitFor(() => expect(received).toHaveLength(before + 5));
  };

  await send(patient, 9900);
  await send(hasty, 9900);
  now.mockReturnValue(startMs + 10_100);
  hasty.socket.send('right');
  await vi.waitFor(() => expect(hasty.closeCode).toBe(1008));
  await send(patient, 19_901);

  expect(patient.closeCode).toBeNull();
});

test('counts an unsolicited pong as a message, but no pong that answers a ping', async () => {
  const { open, relay } = await startRelay({ messagesPer10S: 5, pingMs: 15 });
  const answering = await open();
  let pings = 0;
  answering.socket.on('ping', () => {
    pings += 1;
  });
  await vi.waitFor(() => expect(pings).toBeGreaterThan(12));
  expect(relay.state()).toMatchObject({ connections: 1, dismissed: { talkative: 0 } });

  for (let i = 0; i < 30; i++) answering.socket.pong();

  await vi.waitFor(() => expect(answering.closeCode).toBe(1008));
  expect(relay.state().dismissed.talkative).toBe(1);
});

test('drops a connection that answers no ping, even without a close frame', async () => {
  const { wsUrl, relay } = await startRelay({ pingMs: 30, unresponsiveMs: 120 });
  const socket = new WebSocket(`${wsUrl}/live`, { autoPong: false });
  undo.push(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  socket.pause();

  await vi.waitFor(() => expect(relay.state()).toMatchObject({ connections: 0, dismissed: { silent: 1 } }));
});

test('bounds the unread frames of a reader that does not read, and can serve it again', async () => {
  const { open, readers, relay } = await startRelay();
  const page = await open();
  const [reader] = readers;
  page.socket.pause();
  const frame = textFrame('y'.repeat(10_000));

  let taken = 0;
  // Until the kernel's own buffers are full too.
  await vi.waitFor(() => {
    for (let i = 0; i < 100; i++) if (reader?.offer(frame)) taken += 1;
    expect(relay.state().leftOut).toBeGreaterThan(50);
  });
  expect(reader?.isDrained).toBe(false);
  const memoryBefore = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 2000; i++) if (reader?.offer(frame)) taken += 1;
  expect(process.memoryUsage().arrayBuffers - memoryBefore).toBeLessThan(1 << 20);

  page.socket.resume();
  await vi.waitFor(() => expect(reader?.isDrained).toBe(true));
  await vi.waitFor(() => expect(page.texts).toHaveLength(taken));
  expect(reader?.offer(frame)).toBe(true);
});

test('sends a reader closed for slowness its unread frames, then the code and reason', async () => {
  // A reader on a busy machine needs longer than a moment for what it has not read.
  const { open, readers, relay } = await startRelay({ pingMs: 100, unresponsiveMs: 1500, closeMs: 5000 });
  const slow = await open();
  slow.socket.pause();
  const reasons: string[] = [];
  slow.socket.on('close', (_code, reason) => reasons.push(String(reason)));
  const frame = textFrame('y'.repeat(10_000));
  let taken = 0;
  await vi.waitFor(() => {
    for (let i = 0; i < 100; i++) if (readers[0]?.offer(frame)) taken += 1;
    expect(relay.state().leftOut).toBeGreaterThan(50);
  });
  // Goes silent later, with nothing unread; once it ends, both have passed the time for a goodbye.
  const later = await open();
  later.socket.pause();
  await vi.waitFor(() => expect(relay.state().dismissed.silent).toBe(2));
  await vi.waitFor(() => expect(relay.state().connections).toBeLessThan(2));

  slow.socket.resume();

  await vi.waitFor(() => expect(slow.closeCode).not.toBeNull());
  expect([slow.closeCode, ...reasons]).toEqual([1008, 'silent']);
  expect(slow.texts).toHaveLength(taken);
  await vi.waitFor(() => expect(relay.state().connections).toBe(0));
});

test('delivers a text of any length unchanged', async () => {
  const { open, readers } = await startRelay();
  const page = await open();
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map(
    (length) => 'é'.repeat(length >> 1) + 'x'.repeat(length & 1),
  );

  for (const text of texts) {
    await vi.waitFor(() => expect(readers[0]?.isDrained).toBe(true));
    expect(readers[0]?.offer(textFrame(text))).toBe(true);
  }

  await vi.waitFor(() => expect(page.texts).toEqual(texts));
});

test('survives junk instead of frames and connections dropped in the handshake', async () => {
  const { wsUrl, open, relay, left } = await startRelay();
  const { port } = new URL(wsUrl);
  const raw = (text: string): Socket => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {});
    undo.push(() => socket.destroy());
    return socket;
  };
  const greeting = 'GET /live HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n';

  raw(`${greeting}sec-websocket-version: 13\r\nsec-websocket-key: short\r\n\r\n`);
  raw(`${greeting}sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\xff\xff\xff\xff`);
  raw(`${greeting}\r\n`).destroy();
  raw('GET //// HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');

  await vi.waitFor(() => expect(left()).toBe(1));
  const page = await open();
  expect(page.closeCode).toBeNull();
  expect(relay.state().connections).toBe(1);
});

test('closes a connection that waits in the middle of a frame, before and after its request', async () => {
  const { wsUrl, open, relay, received } = await startRelay({ firstRequestMs: 400, pingMs: 50, unresponsiveMs: 3000 });
  const other = await open();
  other.socket.send('right');
  const greeting = 'GET /live HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n';
  const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  /** Masked with zeros, as text. */
  const frame = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0x81, 0x80 + text.length, 0, 0, 0, 0]), Buffer.from(text)]);
  const send = (...frames: Buffer[]): void => {
    const socket = connect(Number(new URL(wsUrl).port), '127.0.0.1', () => {
      socket.write(Buffer.concat([Buffer.from(greeting + key), ...frames]));
    });
    socket.on('error', () => {}).resume();
    undo.push(() => socket.destroy());
  };

  send(frame('right').subarray(0, 8));
  send(frame('right'), frame('more').subarray(0, 7));

  await vi.waitFor(() => expect(relay.state().dismissed).toEqual({ idle: 1, talkative: 0, silent: 1 }));
  expect(received).toEqual(['right', 'right']);
  await vi.waitFor(() => expect(relay.state().connections).toBe(1));
  expect(other.closeCode).toBeNull();
});

test('closes all connections with a close frame, accepts no more, and lets the server end', async () => {
  const { open, relay, server, wsUrl, left } = await startRelay();
  const page = await open();

  relay.close();
  const ended = new Promise((resolve) => server.close(resolve));

  await ended;
  await vi.waitFor(() => expect(page.closeCode).toBe(1001));
  expect(left()).toBe(1);
  await expect(openPage(`${wsUrl}/live`)).rejects.toThrow();
});
