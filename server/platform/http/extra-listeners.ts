/**
 * Node accepts one connection per listening socket in each turn of its event loop (libuv since 1.45): a busy process
 * with one socket accepts about fifty a second, and new clients wait although it has time for them.
 */
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net';

/** Linux distributes connections among sockets on the same port; elsewhere only the server's socket is used. */
export const CAN_SHARE_PORT = process.platform === 'linux';
/** An overloaded loop's turn takes up to 100 ms, so this accepts over a thousand connections a second. */
const LISTENERS = 127;
/** Connections that may wait at each socket to be accepted; the system's limit may be lower. */
export const BACKLOG = 1024;

export interface ExtraListeners {
  /** Accepts no more connections. Resolves when all accepted connections have closed. */
  close(): Promise<void>;
}

/** @param server  listens with `reusePort` */
export async function openExtraListeners(
  server: Server,
  host: string,
  count = CAN_SHARE_PORT ? LISTENERS : 0,
): Promise<ExtraListeners> {
  const { port } = server.address() as AddressInfo;
  const listeners: TcpServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.splice(0).map((listener) => new Promise((closed) => listener.close(closed))));
  };
  try {
    for (let i = 0; i < count; i++) listeners.push(await openListener(server, host, port));
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** @throws Error with code EADDRINUSE when another server listens there, whether it shares the port or not */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listening(probe, { host, port });
  await new Promise((closed) => probe.close(closed));
}

async function openListener(server: Server, host: string, port: number): Promise<TcpServer> {
  const listener = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  await listening(listener, { host, port, reusePort: true, backlog: BACKLOG });
  return listener;
}

function listening(listener: TcpServer, options: Parameters<TcpServer['listen']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(options, () => {
      listener.off('error', reject);
      resolve();
    });
  });
}
