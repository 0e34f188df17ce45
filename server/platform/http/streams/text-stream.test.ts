import { expect, test, vi } from 'vitest';
import { textStream } from './text-stream.ts';

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

test('sends pieces in order, and makes each only when it is read', async () => {
  const yielded: string[] = [];
  async function* pieces() {
    for (const piece of ['a', 'b', 'c', 'd']) {
      yielded.push(piece);
      yield piece;
    }
  }
  const stream = textStream(pieces(), () => undefined);
  await new Promise((done) => setTimeout(done, 5));

  expect(yielded).toEqual(['a']);
  expect(await read(stream)).toBe('abcd');
});

test('reports the cause of a broken stream to the server only, and fails the reader', async () => {
  const onBreak = vi.fn();
  async function* pieces() {
    yield 'a';
    throw new Error('secret words');
  }

  await expect(read(textStream(pieces(), onBreak))).rejects.toThrow('the response was interrupted');
  expect(onBreak).toHaveBeenCalledExactlyOnceWith(new Error('secret words'));
});

test('stops making pieces when the reader disconnects, without a failure', async () => {
  const onBreak = vi.fn();
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
  let isEnded = false;
  async function* pieces() {
    try {
      yield 'a';
      yield await answered;
    } finally {
      isEnded = true;
    }
  }
  const reader = textStream(pieces(), onBreak).getReader();
  await reader.read();

  const left = reader.cancel();
  answer('b');
  await left;

  expect([isEnded, onBreak.mock.calls.length]).toEqual([true, 0]);
});
