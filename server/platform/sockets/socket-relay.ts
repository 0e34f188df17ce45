/** Decides who may connect and how many, and forwards frames made once for all readers, without looking into them. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { refuseUpgrade } from '../admission/shed-answer.ts';
import { isLoopback } from '../loopback.ts';
import type { Logger } from '../telemetry/log.ts';
import { type FrameOutbox, frameOutbox } from './frame-outbox.ts';
import { openingPace } from './opening-pace.ts';
import {
  openReader,
  type ReaderCounters,
  type ReaderHandlers,
  type ReaderLimits,
  type RelayReader,
} from './relay-reader.ts';

export interface RelayLimits extends ReaderLimits {
  connections: number;
  connectionsPerAddress: number;
  /** Of one address, spread over the ten seconds: see opening-pace.ts. */
  openingsPer10S: number;
  messageBytes: number;
}

const LIMITS: RelayLimits = {
  connections: 25_000,
  // A school or an office may share one address.
  connectionsPerAddress: 500,
  // All of them come back within eight seconds after a restart.
  openingsPer10S: 500,
  messageBytes: 4096,
  firstRequestMs: 5000,
  messagesPer10S: 50,
  ceilingBytes: 64 << 10,
  pingMs: 20_000,
  answerMs: 5000,
  firstAnswerMs: 1000,
  unresponsiveMs: 65_000,
  closeMs: 1000,
};

export interface SocketRelayOptions {
  path: string;
  log: Logger;
  /** See ownHosts. */
  isOwnHost(host: string): boolean;
  /** Other origins whose pages may connect. */
  allowedOrigins: readonly string[];
  /** The key for the limit per address; null if the client is unknown, so that only the total limit applies. */
  addressOf(request: IncomingMessage): string | null;
  limits?: Partial<RelayLimits> | undefined;
  /** Shared by all readers; replaced by tests. */
  outbox?: FrameOutbox | undefined;
  /** @param address  as `addressOf` gives it */
  join(reader: RelayReader, address: string | null): ReaderHandlers;
  /** Opens the socket now or later, or refuses it. Default: now. */
  admit?: ((request: IncomingMessage, socket: Duplex, open: () => void) => void) | undefined;
}

const REFUSALS = {
  host: '421 Misdirected Request',
  origin: '403 Forbidden',
  address: '429 Too Many Requests',
} as const;
type Refusal = keyof typeof REFUSALS | 'full';
/** Another process may have room immediately; this one has room once readers disconnect. */
const FULL_RETRY_S = 10;
/** An address that is refused for its own number waits for its answer, so that it cannot retry without pause. */
const REFUSED_MS = 1000;
/** More are refused immediately: each one that waits holds a connection. */
const MOST_HELD = 1000;

export interface RelayState extends ReaderCounters {
  connections: number;
  /** Upgrades refused since the start. */
  refused: Record<Refusal, number>;
}

export interface SocketRelay {
  /** Handles the server's upgrades; upgrades on other paths are refused. */
  attach(server: Server): void;
  state(): RelayState;
  /** Frames are queued, so a frame made now would be written after newer data exists. */
  isBehind(): boolean;
  close(): void;
}

const GOING_AWAY = 1001;

export function openSocketRelay(options: SocketRelayOptions): SocketRelay {
  const { path, log, addressOf, allowedOrigins, admit = (_request, _socket, work) => work() } = options;
  const limits = { ...LIMITS, ...options.limits };
  // Uncompressed, because a shared frame cannot be compressed per reader.
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: limits.messageBytes });
  const outbox = options.outbox ?? frameOutbox();
  const perAddress = new Map<string, number>();
  const pace = openingPace(limits.openingsPer10S);
  let held = 0;
  const refused: RelayState['refused'] = { host: 0, origin: 0, full: 0, address: 0 };
  const counters: ReaderCounters = { dismissed: { idle: 0, talkative: 0, silent: 0 }, leftOut: 0 };
  const servers = new Set<Server>();

  function refusalOf(request: IncomingMessage, address: string | null): Refusal | null {
    const { host = '', origin } = request.headers;
    if (!options.isOwnHost(host)) return 'host';
    if (origin !== undefined && !isAllowedOrigin(origin, host, allowedOrigins)) return 'origin';
    if (sockets.clients.size >= limits.connections) return 'full';
    if (address === null) return null;
    return (perAddress.get(address) ?? 0) >= limits.connectionsPerAddress ? 'address' : null;
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (URL.parse(request.url ?? '', 'http://localhost')?.pathname !== path) {
      refuse(socket, '404 Not Found');
      return;
    }
    const address = addressOf(request);
    if (isRefused(request, socket, address)) return;
    const waitMs = address === null ? 0 : pace.waitMs(address);
    if (waitMs === null) {
      refuseFor('address', socket);
      return;
    }
    whenDue(waitMs, socket, () =>
      admit(request, socket, () => {
        // Others may have taken the last places during the wait.
        if (!isRefused(request, socket, address)) open(request, socket, head, address);
      }),
    );
  }

  function isRefused(request: IncomingMessage, socket: Duplex, address: string | null): boolean {
    const refusal = refusalOf(request, address);
    if (refusal !== null) refuseFor(refusal, socket);
    return refusal !== null;
  }

  function refuseFor(refusal: Refusal, socket: Duplex): void {
    refused[refusal] += 1;
    log.debug({ path, refusal }, 'a live socket was refused');
    if (refusal === 'full') refuseUpgrade(socket, FULL_RETRY_S);
    else if (refusal === 'address') refuseLater(socket);
    else refuse(socket, REFUSALS[refusal]);
  }

  function refuseLater(socket: Duplex): void {
    if (held >= MOST_HELD) {
      socket.destroy();
      return;
    }
    held += 1;
    setTimeout(() => {
      held -= 1;
      if (!socket.destroyed) refuse(socket, REFUSALS.address);
    }, REFUSED_MS).unref();
  }

  function open(request: IncomingMessage, socket: Duplex, head: Buffer, address: string | null): void {
    sockets.handleUpgrade(request, socket, head, (ws) => {
      if (address !== null) {
        perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
        ws.on('close', () => leave(address));
      }
      openReader(ws, socket, outbox, limits, counters, (reader) => options.join(reader, address));
    });
  }

  function leave(address: string): void {
    const others = (perAddress.get(address) ?? 1) - 1;
    if (others > 0) perAddress.set(address, others);
    else perAddress.delete(address);
  }

  return {
    attach(server) {
      servers.add(server);
      server.on('upgrade', upgrade);
    },
    isBehind: () => outbox.isBehind(),
    state: () => ({
      connections: sockets.clients.size,
      refused: { ...refused },
      dismissed: { ...counters.dismissed },
      leftOut: counters.leftOut,
    }),
    close() {
      for (const server of servers) server.off('upgrade', upgrade);
      for (const ws of sockets.clients) {
        ws.close(GOING_AWAY);
        // The close frame precedes the end in the same stream, so it arrives even without waiting for a reply.
        setTimeout(() => ws.terminate(), CLOSE_MS).unref();
      }
      sockets.close();
    },
  };
}

const CLOSE_MS = 200;

function whenDue(waitMs: number, socket: Duplex, work: () => void): void {
  if (waitMs === 0) work();
  else setTimeout(() => socket.destroyed || work(), waitMs).unref();
}

/** Allows our own pages, configured origins, and local pages on a developer's machine. Programs send no origin. */
function isAllowedOrigin(origin: string, host: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true;
  const [page, target] = [URL.parse(origin), URL.parse(`http://${host}`)];
  if (page === null || target === null || !/^https?:$/.test(page.protocol)) return false;
  return page.host === host.toLowerCase() || (isLoopback(page.hostname) && isLoopback(target.hostname));
}

/** Closes the socket fully, because nothing else would ever end a half-open one. */
function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
