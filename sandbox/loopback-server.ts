import type { Server } from 'node:http';

/** Listens on 127.0.0.1. @param port  0: any free one. @returns the port */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sandbox has no port.');
  return address.port;
}

/** Ends the open connections too. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((closed) => server.close(() => closed()));
}
