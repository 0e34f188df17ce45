import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { CAN_SHARE_PORT, openExtraListeners } from './extra-listeners.ts';
import { listen } from './listen.ts';

const HOST = '127.0.0.1';
const serve = (isShared: boolean, port = 0): Promise<Server> =>
  listen(() => new Response('answered'), { host: HOST, port, isShared }, createLogger('silent'));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const request = async (port: number): Promise<string> =>
  (await fetch(`http://${HOST}:${port}/`, { headers: { connection: 'close' } })).text();

test.skipIf(!CAN_SHARE_PORT)(
  'answers every request through any of its sockets, and answers none once they are closed',
  async () => {
    const server = await serve(true);
    const listeners = await openExtraListeners(server, HOST, 7);
    let through = 0;
    server.on('connection', () => {
      through += 1;
    });

    const answers = await Promise.all(Array.from({ length: 64 }, () => request(portOf(server))));
    expect(new Set(answers)).toEqual(new Set(['answered']));
    expect(through).toBe(64);

    const port = portOf(server);
    const closed = once(server, 'close');
    server.close();
    await Promise.all([closed, listeners.close()]);
    await expect(request(port)).rejects.toThrow('fetch failed');
  },
);

test.skipIf(!CAN_SHARE_PORT)('refuses a shared port to another server, and does not share a taken one', async () => {
  const server = await serve(true);
  await expect(serve(true, portOf(server))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  server.close();

  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, HOST, listening));
  const { port } = other.address() as AddressInfo;
  await expect(serve(true, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});
