import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MODULE = pathToFileURL(`${import.meta.dirname}/whole-answers.ts`).href;
/** More than a stream takes before it waits for its reader. */
const BODY = Buffer.alloc(1 << 16, 'a');

/** Sends a whole answer and closes the connection. */
const server = createServer((socket) => {
  socket.once('data', () => {
    socket.write(`HTTP/1.1 500 Internal Server Error\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n`);
    socket.end(BODY);
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

test('reads the whole answer of a server that closes its connection first, and no process ends', async () => {
  const { port } = server.address() as AddressInfo;
  // The connection is closed meanwhile. On a slow machine it may close later; then the test proves less, and passes.
  // As the server does, the program imports `node:http`, which sets Node's own connections first.
  const program = `
    import 'node:http';
    await import(${JSON.stringify(MODULE)});
    const answer = await fetch('http://127.0.0.1:${port}/');
    await new Promise((wake) => setTimeout(wake, 300));
    console.log(answer.status, (await answer.text()).length);
  `;

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);

  expect(stdout.trim()).toBe(`500 ${BODY.length}`);
});
