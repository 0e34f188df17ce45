import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSocket, tlsModeOf } from './open-socket.ts';

const LIMIT_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'kat-tls-'));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let server: Server | undefined;
const sockets = new Set<Socket>();

beforeAll(() => {
  if (!hasOpenssl) return;
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  spawnSync('openssl', [...request, ...files, '-days', '2', '-subj', '/CN=kat.test']);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers the request for TLS with one letter, then sends back what it receives. */
async function listening(answer: 'S' | 'N' | null): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (answer === null) return void socket.pipe(socket);
    socket.once('data', (request) => {
      expect([...request]).toEqual([0, 0, 0, 8, 4, 210, 22, 47]);
      socket.write(answer);
      if (answer === 'N') return void socket.pipe(socket);
      const key = readFileSync(join(folder, 'key.pem'));
      const cert = readFileSync(join(folder, 'cert.pem'));
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      secure.on('error', () => {}).pipe(secure);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function open(port: number, mode: string | null, host = ['127.0.0.1']): Promise<Socket> {
  const ports = host.map((_, nth) => (nth === host.length - 1 ? port : 1));
  const socket = await openSocket({ host, port: ports, path: undefined }, mode, LIMIT_MS);
  sockets.add(socket);
  return socket;
}

async function echoOf(socket: Socket): Promise<string> {
  socket.write('hello');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('connects without encryption, and tries the next host of the address', async () => {
  const port = await listening(null);

  expect(await echoOf(await open(port, null, ['127.0.0.1', '127.0.0.1']))).toBe('hello');
});

test('rejects with the system’s code when no host listens', async () => {
  await expect(open(1, null)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('continues without encryption if the server has none and the mode only prefers it', async () => {
  const port = await listening('N');

  expect(await echoOf(await open(port, 'prefer'))).toBe('hello');
});

test('refuses a server without encryption when the mode requires it', async () => {
  const port = await listening('N');

  await expect(open(port, 'require')).rejects.toThrow('accepts no encrypted connections');
});

describe.skipIf(!hasOpenssl)('encryption with a self-signed certificate', () => {
  test('encrypts when the mode checks no certificate', async () => {
    const socket = await open(await listening('S'), 'require');

    expect(socket).toBeInstanceOf(TLSSocket);
    expect(await echoOf(socket)).toBe('hello');
  });

  test('refuses it when the mode checks certificates', async () => {
    await expect(open(await listening('S'), 'verify-full')).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

test.each([
  ['postgres://u:p@h/db', null],
  ['postgres://u:p@h/db?sslmode=disable', null],
  ['postgres://u:p@h/db?ssl=false', null],
  ['postgres://u:p@h/db?sslmode=require', 'require'],
  ['postgres://u:p@h/db?application_name=x&ssl=true', 'true'],
  ['postgres://u:p@h/db?sslrootcert=system', 'verify-full'],
])('reads the mode of %s', (url, mode) => {
  expect(tlsModeOf(url)).toBe(mode);
});
