import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { postgresAnswers } from './postgres-probe.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** @returns the port of a server that calls `serve` for each connection */
async function aServer(serve: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const soon = () => AbortSignal.timeout(200);
const patiently = () => AbortSignal.timeout(20_000);

test('counts one byte about TLS as an answer', async () => {
  const received: Buffer[] = [];
  const port = await aServer((socket) =>
    socket.on('data', (data) => {
      received.push(data);
      socket.write('N');
    }),
  );
  expect(await postgresAnswers(`postgres://kat@127.0.0.1:${port}/kat`, patiently())).toBe(true);
  expect(Buffer.concat(received).toString('hex')).toBe('0000000804d2162f');
});

test('does not count an accepted connection without a byte, and tries the address’s other hosts', async () => {
  const mute = await aServer(() => undefined);
  expect(await postgresAnswers(`postgres://kat@127.0.0.1:${mute}/kat`, soon())).toBe(false);
  const speaking = await aServer((socket) => socket.write('S'));
  const both = `postgres://kat@127.0.0.1:${mute},127.0.0.1:${speaking}/kat`;
  expect(await postgresAnswers(both, patiently())).toBe(true);
});

test('counts a refused connection as an answer, because the driver fails there immediately', async () => {
  const port = await aServer(() => undefined);
  for (const step of undo.splice(0)) step();
  expect(await postgresAnswers(`postgres://kat@127.0.0.1:${port}/kat`, patiently())).toBe(true);
});
