import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession } from './sql-session.ts';

const READY = message('Z', 'I');
/** To the login, and to the driver's own question for array types: none. */
const ANSWERS = [
  [message('R', '\0\0\0\0'), READY],
  [message('1', ''), message('n', ''), message('2', ''), message('C', 'SELECT 0\0'), READY],
].map((messages) => Buffer.concat(messages));

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

/** Opens a session, then answers nothing. */
let server: Server;
/** Types of the messages that came after that, as one letter each. */
let received: string;
let closeAll: () => void;
let answerWith: (...messages: Buffer[]) => void;

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    const answers = [...ANSWERS];
    closeAll = () => socket.destroy();
    answerWith = (...messages) => void socket.write(Buffer.concat(messages));
    socket.on('data', (chunk) => {
      const answer = answers.shift();
      if (answer === undefined) received += messageTypes(chunk);
      else socket.write(answer);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  closeAll();
  server.close();
});

function messageTypes(chunk: Buffer): string {
  let types = '';
  for (let at = 0; at < chunk.length; at += 1 + chunk.readUInt32BE(at + 1))
    types += String.fromCharCode(chunk[at] ?? 0);
  return types;
}

test('sends a statement together with its values, before the server answers anything', async () => {
  const { port } = server.address() as AddressInfo;
  const session = await openSession({ url: `postgres://kat:kat@127.0.0.1:${port}/kat?sslmode=disable` });

  const answer = session.send('select $1::text', ['a']);
  answer.catch(() => {});

  // Parse, Describe, Bind, Execute, Sync. With Flush (H) in place of Bind, the driver would be waiting for an answer:
  // then `withoutAsking` no longer sets the property that this version of the driver reads.
  await expect.poll(() => received).toBe('PDBES');
  session.destroy(new Error('The test is over.'));
  await expect(answer).rejects.toThrow('The test is over.');
});

test('sends several statements as one message, and stores the plan of those that have a key', async () => {
  const { port } = server.address() as AddressInfo;
  const session = await openSession({ url: `postgres://kat:kat@127.0.0.1:${port}/kat?sslmode=disable` });
  const steps = [
    { text: 'select set_config($1)', values: ['a'], planKey: 'caller', dropsRows: true },
    { text: 'select 1', values: [], planKey: null },
  ];

  const first = session.sendTogether(steps);
  await expect.poll(() => received).toBe('PBEPBDES');
  const done = (tag: string) => message('C', `${tag}\0`);
  answerWith(message('1', ''), message('2', ''), done('SELECT 1'));
  answerWith(message('1', ''), message('2', ''), message('n', ''), done('INSERT 0 1'), READY);
  expect(await first).toEqual([]);
  const second = session.sendTogether(steps);

  await expect.poll(() => received).toBe('PBEPBDESBEPBDES');
  closeAll();
  await expect(second).rejects.toMatchObject({ code: 'database/unavailable' });
  expect(session.isBroken).toBe(true);
});

test('leaves no connection open after a login that took too long', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    const answers = sockets.length === 0 ? [] : [...ANSWERS];
    sockets.push(socket.on('error', () => {}).on('data', () => void socket.write(answers.shift() ?? '')));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;

  const opening = openSession({ url: `postgres://kat:kat@127.0.0.1:${port}/kat?sslmode=disable` }, {}, 0.05);

  await expect(opening).rejects.toMatchObject({ code: 'database/unavailable' });
  // Time for the driver to try again, within milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
  silent.close();
});
