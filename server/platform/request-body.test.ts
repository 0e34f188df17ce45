import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { readText } from './request-body.ts';

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

test('a long string without its end costs little', async () => {
  const startedMs = performance.now();

  await codeOf(`"${'\\"'.repeat(500_000)}`, 2_000_000);

  expect(performance.now() - startedMs).toBeLessThan(1000);
});
