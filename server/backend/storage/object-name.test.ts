import { expect, test } from 'vitest';
import { readAddress, readBucketId, readObjectName } from './object-name.ts';

test('reads an address as a bucket and a name, decoded once', () => {
  const address = readAddress('avatars/5f1e/my%20face%20%28new%29.png');

  expect(address).toEqual({ bucket: 'avatars', name: '5f1e/my face (new).png' });
});

test('reads an encoded slash as a slash of the name', () => {
  expect(readAddress('avatars/a%2Fb.png').name).toBe('a/b.png');
});

test.each([
  ...[
    '',
    '/',
    'a//b',
    '/a',
    'a/',
    '.',
    '..',
    'a/../b',
    './a',
    'a/..',
    'a\\b',
    'a\0b',
    'a\nb',
    'a\u007fb',
    ' a',
    'a /b',
  ],
  ...['a%2e', 'é.png', 'a\u202eb', 'a"b', 'a<b', 'a#b', 'x'.repeat(301)],
])('refuses %j as a name', (name) => {
  expect(() => readObjectName(name)).toThrow(/^Invalid key: /);
});

test.each(['a.png', '..a', 'a..', 'x'.repeat(300), "a!-._*'() &$@=;:+,?b/c"])('accepts %j as a name', (name) => {
  expect(readObjectName(name)).toBe(name);
});

test.each(['', 'a%2Fb', '%2e%2e%2f', 'x'.repeat(101), 'a%00', ' a', 'a%20'])('refuses %j as a bucket', (id) => {
  expect(() => readBucketId(id)).toThrow('Bucket name invalid');
});

test('replaces characters that are not printable in a refusal', () => {
  expect(() => readObjectName('a\r\nset-cookie: b')).toThrow('Invalid key: a??set-cookie: b');
});
