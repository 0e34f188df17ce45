import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { processorMs } from '../../testing/processor-time.ts';
import { drainBody, readBytes, readText } from './request-body.ts';

const post = (body: string | Uint8Array<ArrayBuffer>) => new Request('http://localhost/', { method: 'POST', body });

const codeOf = (body: string | Uint8Array<ArrayBuffer>, maxBytes = 1000) =>
  readText(post(body), maxBytes).then(
    () => 'read',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );

test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
  ['as many bytes as allowed', 'é'.repeat(500), 'read'],
  ['one byte more', `${'é'.repeat(500)}x`, 'request/too-large'],
  ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), 'request/invalid'],
  ['a NUL', '{"a": "b\0"}', 'request/invalid'],
  ['an escaped NUL', '{"a": "b\\u0000"}', 'request/invalid'],
  ['an escaped NUL after an escaped backslash', '{"a": "b\\\\\\u0000"}', 'request/invalid'],
  ['a backslash that only looks like it', '{"a": "b\\\\u0000"}', 'read'],
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, 'read'],
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'request/invalid'],
  ['65 levels of two kinds', '{"a":['.repeat(33), 'request/invalid'],
  ['brackets in a string', `{"a": "\\"${'['.repeat(100)}"}`, 'read'],
  ['many lists side by side', `[${'[],'.repeat(200)}[]]`, 'read'],
])('reads or refuses %s', async (_what, body, expected) => {
  expect(await codeOf(body)).toBe(expected);
});

test('reads a long unterminated string within a second', async () => {
  const startedMs = processorMs();

  await codeOf(`"${'\\"'.repeat(500_000)}`, 2_000_000);

  expect(processorMs() - startedMs).toBeLessThan(1000);
});

function inPieces(count: number, isEndless = false): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let piece = 0; piece < count; piece += 1) controller.enqueue(new Uint8Array(1000));
      if (!isEndless) controller.close();
    },
  });
  return new Request('http://kat/', { method: 'POST', body, duplex: 'half' } as RequestInit);
}

test('leaves a refused body open, so that the rest can be drained', async () => {
  const request = inPieces(10);

  await expect(readBytes(request, 2500)).rejects.toMatchObject({ code: 'request/too-large' });

  expect(await drainBody(request, 100_000, 1000)).toBe(true);
});

test.each([
  ['more than is worth taking', () => inPieces(10), 5000],
  ['a body that never ends', () => inPieces(1, true), 100_000],
])('does not drain %s', async (_what, bodyOf, maxBytes) => {
  expect(await drainBody(bodyOf(), maxBytes, 20)).toBe(false);
});

test('stops reading with the signal’s own reason', async () => {
  await expect(readBytes(inPieces(1, true), 5000, AbortSignal.timeout(20))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});
