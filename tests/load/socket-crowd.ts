/**
 * Ten thousand pages, each with its live socket: read on bare connections, so that the crowd costs less than what it
 * measures. How old each change is when it arrives is counted from the moment the venue said it.
 */

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestText } from '#domain/market/coinbase-messages.ts';
import { addressOfClient, answerFigures, crowdOptions, portOf, tally } from './crowd-messages.ts';
import { ageOfSizeMs } from './paced-book-venue.ts';
import { TimeCounts } from './time-counts.ts';

export interface SocketCrowdOptions {
  /** Of the processes: each page goes to the next. */
  ports: readonly number[];
  sockets: number;
  productIds: readonly string[];
  /** They come one after the other within this time. */
  arrivalMs: number;
}

const { ports, sockets, productIds, arrivalMs } = await crowdOptions<SocketCrowdOptions>();
const UPDATE = Buffer.from('"l2update"');
const CHANGES = Buffer.from('"changes":[[');
const PING = 0x89;
const TEXT = 0x81;
const GOODBYE = 0x88;

const lag = new TimeCounts();
const failures = tally();
let frames = 0;
let open = 0;

/** A frame as a client must send it, masked with a mask that changes nothing. */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([opcode, 0x80 | payload.length])
      : Buffer.from([opcode, 0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function hear(frame: Buffer): void {
  if (frame.indexOf(UPDATE) < 0) return;
  const from = frame.indexOf(CHANGES);
  // ["buy","99999.00","4321.987"]
  const [, , size = ''] = frame.toString('latin1', from + CHANGES.length, from + CHANGES.length + 60).split(',');
  frames += 1;
  lag.add(ageOfSizeMs(Number.parseFloat(size.replaceAll(/[^\d.]/g, '')), Date.now()));
}

/** Whole frames out of what came; the rest is kept. */
function take(socket: Socket, bytes: Buffer): Buffer {
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = (bytes[at + 1] ?? 0) & 127;
    const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length - at < headLength) break;
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + headLength + length;
    if (bytes.length < end) break;
    const opcode = bytes[at];
    if (opcode === TEXT) hear(bytes.subarray(at + headLength, end));
    else if (opcode === PING) socket.write(clientFrame(0x8a, bytes.subarray(at + headLength, end)));
    else if (opcode === GOODBYE) failures.add('sent away');
    at = end;
  }
  return at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
}

async function page(nth: number): Promise<void> {
  await sleep((nth * arrivalMs) / sockets);
  const port = portOf(ports, nth);
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isUpgraded = false;
  let rest: Buffer = Buffer.alloc(0);
  socket.on('connect', () =>
    socket.write(
      `GET /market/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n` +
        `x-forwarded-for: ${addressOfClient(nth)}\r\n\r\n`,
    ),
  );
  socket.on('data', (chunk) => {
    let bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    rest = Buffer.alloc(0);
    if (!isUpgraded) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        rest = bytes;
        return;
      }
      const status = bytes.toString('latin1', 9, 12);
      if (status !== '101') {
        failures.add(`refused: ${status}`);
        socket.destroy();
        return;
      }
      isUpgraded = true;
      open += 1;
      const product = productIds[nth % productIds.length] ?? '';
      socket.write(clientFrame(TEXT, Buffer.from(requestText('subscribe', [product], ['level2']))));
      bytes = bytes.subarray(end + 4);
      resolve();
    }
    rest = take(socket, bytes);
  });
  socket.on('error', (error) => failures.add(`broke: ${error.message}`));
  socket.on('close', () => {
    if (isUpgraded) {
      open -= 1;
      failures.add('closed');
    }
    resolve();
  });
  return promise;
}

answerFigures(() => {
  const figures = { times: { lag: lag.figures() }, counts: { frames, open }, failures: failures.take() };
  lag.clear();
  frames = 0;
  return figures;
});
await Promise.all(Array.from({ length: sockets }, (_, nth) => page(nth)));
process.send?.({ open });
