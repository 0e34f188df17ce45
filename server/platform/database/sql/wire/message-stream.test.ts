import { expect, test } from 'vitest';
import { messageStream } from './message-stream.ts';

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const MESSAGES = [message('T', 'columns'), message('D', 'x'.repeat(300)), message('n', ''), message('Z', 'I')];

test.each([1, 2, 3, 4, 5, 6, 7, 100, 299, 1000])('finds whole messages in chunks of %i bytes', (size) => {
  const found: Buffer[] = [];
  const read = messageStream((bytes, at, end) => found.push(Buffer.from(bytes.subarray(at, end))));
  const all = Buffer.concat(MESSAGES);

  for (let at = 0; at < all.length; at += size) read(all.subarray(at, at + size));

  expect(found).toEqual(MESSAGES);
});

test('waits for the end of the last message', () => {
  const found: string[] = [];
  const read = messageStream((bytes, at) => found.push(String.fromCharCode(bytes[at] ?? 0)));

  read(Buffer.concat([message('Z', 'I'), message('D', 'abc').subarray(0, 6)]));

  expect(found).toEqual(['Z']);
});
