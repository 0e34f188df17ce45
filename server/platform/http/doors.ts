/**
 * More sockets that listen on the server's port. Node takes one new connection of each for every turn of its event loop
 * (libuv since 1.45), so that a busy process with one of them takes some fifty a second, and who comes then waits for
 * seconds though the process has time for them.
 */
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as Door } from 'node:net';

/** The system shares connections out among sockets of one port here; elsewhere the server's own is the only one. */
export const CAN_SHARE_PORT = process.platform === 'linux';
/** A turn of an overloaded loop lasts up to a hundred milliseconds: more than a thousand newcomers a second. */
const DOORS = 127;
/** Who may wait at each until it is taken; the system's own limit may be lower. */
export const BACKLOG = 1024;

export interface Doors {
  /** Takes nobody more. Resolves when all who came through have gone. */
  close(): Promise<void>;
}

/** @param server  listens with `reusePort` */
export async function openDoors(server: Server, host: string, count = CAN_SHARE_PORT ? DOORS : 0): Promise<Doors> {
  const { port } = server.address() as AddressInfo;
  const doors: Door[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(doors.splice(0).map((door) => new Promise((closed) => door.close(closed))));
  };
  try {
    for (let i = 0; i < count; i++) doors.push(await openDoor(server, host, port));
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** @throws Error with code EADDRINUSE when somebody listens there who shares with nobody, or does share: another server */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listening(probe, { host, port });
  await new Promise((closed) => probe.close(closed));
}

async function openDoor(server: Server, host: string, port: number): Promise<Door> {
  const door = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  await listening(door, { host, port, reusePort: true, backlog: BACKLOG });
  return door;
}

function listening(door: Door, options: Parameters<Door['listen']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(options, () => {
      door.off('error', reject);
      resolve();
    });
  });
}
