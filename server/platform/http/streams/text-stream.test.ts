import { expect, test, vi } from 'vitest';
import { textStream } from './text-stream.ts';

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

test('pieces follow each other, made when they are read', async () => {
  const made: string[] = [];
  async function* pieces() {
    for (const piece of ['a', 'b', 'c', 'd']) {
      made.push(piece);
      yield piece;
    }
  }
  const stream = textStream(pieces(), () => undefined);
  await new Promise((done) => setTimeout(done, 5));

  expect(made).toEqual(['a']);
  expect(await read(stream)).toBe('abcd');
});

test('what breaks it off is told to us, and to the reader that there is no end', async () => {
  const onBreak = vi.fn();
  async function* pieces() {
    yield 'a';
    throw new Error('secret words');
  }

  await expect(read(textStream(pieces(), onBreak))).rejects.toThrow('the answer broke off');
  expect(onBreak).toHaveBeenCalledExactlyOnceWith(new Error('secret words'));
});

test('a reader who leaves ends the making, and that is no failure', async () => {
  const onBreak = vi.fn();
  const { promise: asked, resolve: answer } = Promise.withResolvers<string>();
  let isEnded = false;
  async function* pieces() {
    try {
      yield 'a';
      yield await asked;
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
