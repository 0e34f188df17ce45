/**
 * Ten thousand pages, each with its live socket, on bare connections, so that the crowd costs less than what it
 * measures. A change's age counts from the moment the venue sent it.
 */

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestText } from '../../../domain/market/book/coinbase-messages.ts';
import { clientFrame, PONG_FRAME, TEXT_FRAME } from '../overload/client/client-frame.ts';
import { startCrowdDelay } from '../overload/client/crowd-delay.ts';
import { type FrameReader, frameReader } from '../overload/client/frame-reader.ts';
import { type Manners, portsFrom, type Refusal, refusalInHead, untilAdmitted } from '../overload/client/manners.ts';
import { ageOfSizeMs } from '../paced-book-venue.ts';
import { addressOfClient, answerFigures, crowdOptions, tally } from './crowd-messages.ts';
import { TimeCounts } from './time-counts.ts';

export interface SocketCrowdOptions {
  /** Of the server processes, used in turn. */
  ports: readonly number[];
  sockets: number;
  productIds: readonly string[];
  /** Connections are spread over this time. */
  arrivalMs: number;
  /** How a refusal is handled; default: as any other failure. A page with manners reopens a lost socket. */
  manners?: Manners;
  /** Addresses of this machine that pages connect from in turn; default: the system chooses. */
  from?: readonly string[];
}

/** For a crowd with manners, while it runs. */
export interface SocketRates {
  /** Wanted number of open sockets: more are opened, or the latest closed, one after the other. */
  sockets: number;
  /** Time over which that happens. */
  withinMs: number;
}

const { ports, sockets, productIds, arrivalMs, manners, from } = await crowdOptions<SocketCrowdOptions>();
const UPDATE = Buffer.from('"l2update"');
const CHANGES = Buffer.from('"changes":[[');
const PING = 0x89;
const GOODBYE = 0x88;
const HEAD_END = '\r\n\r\n';
/** The shortest delay of the site's own pages. */
const REOPEN_MS = 1000;
const SAMPLE_MS = 250;

const lag = new TimeCounts();
const refusalTimes = new TimeCounts();
const failures = tally();
const refused = tally();
const crowdDelay = manners === undefined ? null : startCrowdDelay();
/** Connected sockets by page number; pages from `wanted` on should have none. */
const connected = new Map<number, Socket>();
/** Active pages: connected or about to connect. */
const pages = new Set<number>();
let wanted = sockets;
let frames = 0;
let open = 0;
/** Samples of the number of open sockets. */
let checks = { count: 0, open: 0 };

function receive(frame: Buffer): void {
  if (frame.indexOf(UPDATE) < 0) return;
  const from = frame.indexOf(CHANGES);
  // ["buy","99999.00","4321.987"]
  const [, , size = ''] = frame.toString('latin1', from + CHANGES.length, from + CHANGES.length + 60).split(',');
  frames += 1;
  lag.add(ageOfSizeMs(Number.parseFloat(size.replaceAll(/[^\d.]/g, '')), Date.now()));
}

function readerOf(socket: Socket): FrameReader {
  return frameReader((first, payload) => {
    if (first === TEXT_FRAME) receive(payload);
    else if (first === PING) socket.write(clientFrame(PONG_FRAME, payload));
    else if (first === GOODBYE) failures.add('sent away');
  });
}

interface Opened {
  refusal: Refusal | null;
  /** Resolves when the socket has closed; null: it never opened. */
  closed: Promise<void> | null;
}

/** One attempt to open a page's socket. */
function openSocket(nth: number, port: number): Promise<Opened> {
  const startedMs = performance.now();
  const localAddress = from?.[nth % from.length];
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) });
  socket.setNoDelay(true);
  const { promise, resolve } = Promise.withResolvers<Opened>();
  const closed = Promise.withResolvers<void>();
  const reader = readerOf(socket);
  let isUpgraded = false;
  let head: Buffer = Buffer.alloc(0);
  socket.on('connect', () =>
    socket.write(
      `GET /market/ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n` +
        `x-forwarded-for: ${addressOfClient(nth)}\r\n\r\n`,
    ),
  );
  socket.on('data', (chunk) => {
    let bytes: Buffer = chunk;
    if (!isUpgraded) {
      bytes = head = Buffer.concat([head, chunk]);
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return;
      const status = bytes.toString('latin1', 9, 12);
      if (status !== '101') {
        const refusal = manners === undefined ? null : refusalInHead(bytes.toString('latin1', 0, end));
        if (refusal === null) failures.add(`refused: ${status}`);
        else {
          refusalTimes.add(performance.now() - startedMs);
          refused.add(refusal.workClass);
        }
        socket.destroy();
        resolve({ refusal, closed: null });
        return;
      }
      isUpgraded = true;
      open += 1;
      connected.set(nth, socket);
      const product = productIds[nth % productIds.length] ?? '';
      socket.write(clientFrame(TEXT_FRAME, Buffer.from(requestText('subscribe', [product], ['level2']))));
      bytes = bytes.subarray(end + HEAD_END.length);
      resolve({ refusal: null, closed: closed.promise });
    }
    reader.push(bytes);
  });
  socket.on('error', (error) => failures.add(`broke: ${error.message}`));
  socket.on('close', () => {
    if (isUpgraded) {
      open -= 1;
      connected.delete(nth);
      if (nth < wanted) failures.add('closed');
    }
    resolve({ refusal: null, closed: null });
    closed.resolve();
  });
  return promise;
}

/** Opens a page's socket and, with manners, reopens it as long as the page is wanted. */
async function page(nth: number, waitMs: number): Promise<void> {
  pages.add(nth);
  await sleep(waitMs);
  if (nth >= wanted) return void pages.delete(nth);
  const how = { manners: manners ?? 'obeying', ports: portsFrom(ports, nth), dueMs: performance.now() };
  const { closed } = await untilAdmitted(how, (port) => openSocket(nth, port));
  if (nth >= wanted) connected.get(nth)?.destroy();
  if (manners !== undefined) void reopen(nth, closed);
}

async function reopen(nth: number, closed: Promise<void> | null): Promise<void> {
  await closed;
  if (nth < wanted) await page(nth, REOPEN_MS * (1 + Math.random()));
  else pages.delete(nth);
}

/** Adds or removes pages, evenly over a time. */
function change({ sockets: next, withinMs }: SocketRates): void {
  const before = wanted;
  wanted = next;
  const stepMs = withinMs / Math.max(1, Math.abs(next - before));
  for (let nth = before; nth < next; nth++) if (!pages.has(nth)) void page(nth, (nth - before) * stepMs);
  for (let nth = before - 1; nth >= next; nth--) {
    const leave = (): void => {
      if (nth >= wanted) connected.get(nth)?.destroy();
    };
    setTimeout(leave, (before - 1 - nth) * stepMs);
  }
}

answerFigures<SocketRates>(() => {
  const meanOpen = checks.count === 0 ? open : Math.round(checks.open / checks.count);
  const figures = {
    times: manners === undefined ? { lag: lag.figures() } : { lag: lag.figures(), refusals: refusalTimes.figures() },
    counts: crowdDelay === null ? { frames, open } : { frames, open, meanOpen, ...crowdDelay() },
    failures: failures.take(),
    ...(manners === undefined ? {} : { refused: refused.take() }),
  };
  for (const counts of [lag, refusalTimes]) counts.clear();
  frames = 0;
  checks = { count: 0, open: 0 };
  return figures;
}, change);
setInterval(() => {
  checks.count += 1;
  checks.open += open;
}, SAMPLE_MS);
await Promise.all(Array.from({ length: sockets }, (_, nth) => page(nth, (nth * arrivalMs) / sockets)));
process.send?.({ open });
