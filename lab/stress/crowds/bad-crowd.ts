/** A client that behaves badly (overload/bad-clients.ts) until it is stopped. All its connections share one address. */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestText } from '../../../domain/market/book/coinbase-messages.ts';
import type { BadClientName } from '../overload/bad-clients.ts';
import { clientFrame, TEXT_FRAME } from '../overload/client/client-frame.ts';
import { answerFigures, crowdOptions, tally } from './crowd-messages.ts';

export interface BadCrowdOptions {
  port: number;
  anonKey: string;
  productIds: readonly string[];
  kind: BadClientName;
  /** Connections at the same time. */
  clients: number;
}

const { port, anonKey, productIds, kind, clients } = await crowdOptions<BadCrowdOptions>();
/** As the balancer reports it. */
const ADDRESS = '198.51.100.7';
const SUBSCRIBE = clientFrame(TEXT_FRAME, Buffer.from(requestText('subscribe', productIds, ['level2', 'ticker'])));
/** Its head announces four thousand bytes. */
const HALF_FRAME = clientFrame(TEXT_FRAME, Buffer.alloc(4000)).subarray(0, 100);
/** A client that is refused without an answer would otherwise use up its own core. */
const SHORTEST_MS = 1;
const counts = tally();

const UPGRADE =
  `GET /market/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n` +
  `x-forwarded-for: ${ADDRESS}\r\n`;

/** @param onData  gets how many chunks have arrived. @returns when the connection has ended */
function connection(first: string, onData: (socket: Socket, chunk: Buffer, nth: number) => void): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.9.1' });
  let chunks = 0;
  socket.on('connect', () => socket.write(first));
  socket.on('data', (chunk) => {
    chunks += 1;
    onData(socket, chunk, chunks);
  });
  socket.on('error', (error) => counts.add(error.message));
  return new Promise((ended) => socket.on('close', () => ended()));
}

/** @returns whether the first answer opens a socket */
function isOpened(socket: Socket, chunk: Buffer): boolean {
  const status = chunk.toString('latin1', 9, 12);
  counts.add(status === '101' ? 'opened' : `refused: ${status}`);
  if (status !== '101') socket.destroy();
  return status === '101';
}

const ACTS: Record<BadClientName, (nth: number) => Promise<void>> = {
  control: () => Promise.resolve(),
  'reads-nothing': () =>
    connection(`${UPGRADE}\r\n`, (socket, chunk) => {
      if (!isOpened(socket, chunk)) return;
      socket.write(SUBSCRIBE);
      socket.pause();
    }),
  reconnects: () =>
    connection(`${UPGRADE}\r\n`, (socket, chunk, nth) => {
      if (nth === 1 && isOpened(socket, chunk)) socket.write(SUBSCRIBE);
      else socket.destroy();
    }),
  'half-messages': (nth) =>
    nth % 2 === 0
      ? connection(UPGRADE, () => counts.add('half a request was answered'))
      : connection(`${UPGRADE}\r\n`, (socket, chunk, chunkNth) => {
          if (chunkNth === 1 && isOpened(socket, chunk)) socket.write(HALF_FRAME);
        }),
  async 'sign-ups'() {
    const answer = await fetch(`http://127.0.0.1:${port}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json', 'x-forwarded-for': ADDRESS },
      body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'Password1' }),
    });
    await answer.text();
    counts.add(`sign-ups: ${answer.status}`);
  },
};

async function repeat(nth: number): Promise<void> {
  for (;;) {
    await ACTS[kind](nth).catch((error: unknown) => counts.add(String(error)));
    await sleep(SHORTEST_MS);
  }
}

answerFigures(() => ({ times: {}, counts: {}, failures: counts.take() }));
for (let nth = 0; nth < clients; nth++) void repeat(nth);
process.send?.('ready');
