/** Opens the connection that the driver then logs in on, so that batches of statements can be sent on the same one. */
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

/** The driver's options, as it reads them from the address. */
export interface SocketAddress {
  host: readonly string[];
  port: readonly number[];
  /** A Unix socket. */
  path: string | false | undefined;
}

/** A request for TLS: its length and its code. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f]);
const TLS_ACCEPTED = 0x53;
/** Encrypts without checking the server's name, as libpq does. */
const UNCHECKED = new Set(['require', 'allow', 'prefer']);

/** Tries each host of the address once. @param tls  the address' `sslmode`; null for none */
export async function openSocket(address: SocketAddress, tls: string | null, timeoutMs: number): Promise<Socket> {
  const { path, host, port } = address;
  if (path) return ready(connect(path), timeoutMs);
  let failure: unknown;
  for (const [nth, name] of host.entries()) {
    try {
      const socket = await ready(connect({ port: port[nth] ?? 5432, host: name, noDelay: true }), timeoutMs);
      return tls === null ? socket : await encrypted(socket, name, tls, timeoutMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function ready<S extends Socket>(socket: S, timeoutMs: number, event = 'connect'): Promise<S> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(timeoutMs) });
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    const isLate = error instanceof Error && error.name === 'AbortError';
    throw isLate ? Object.assign(new Error('The database did not answer in time.'), { code: 'ETIMEDOUT' }) : error;
  }
}

async function encrypted(socket: Socket, name: string, mode: string, timeoutMs: number): Promise<Socket> {
  socket.write(TLS_REQUEST);
  await ready(socket, timeoutMs, 'readable');
  const answer: Buffer | null = socket.read(1);
  if (answer?.[0] !== TLS_ACCEPTED) {
    if (mode === 'prefer' || mode === 'allow') return socket;
    socket.destroy();
    throw Object.assign(new Error('The database accepts no encrypted connections.'), { code: 'ECONNREFUSED' });
  }
  const options: ConnectionOptions = { socket, rejectUnauthorized: !UNCHECKED.has(mode) };
  if (isIP(name) === 0) options.servername = name;
  return ready(connectTls(options), timeoutMs, 'secureConnect');
}

/** The `sslmode` of an address, as the driver reads it. @returns null if it is off */
export function tlsModeOf(url: string): string | null {
  const [, text = ''] = url.split('?');
  const query = new URLSearchParams(text);
  if (query.get('sslrootcert') === 'system') return 'verify-full';
  const mode = query.get('sslmode') ?? query.get('ssl') ?? process.env.PGSSL ?? '';
  return ['', 'disable', 'false'].includes(mode) ? null : mode;
}
