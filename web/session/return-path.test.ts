import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnPath, safePath } from './return-path.ts';

const ORIGIN = 'https://kat.example';

test.each([
  ['//evil.example'],
  ['/\\evil.example'],
  ['\\\\evil.example'],
  ['/\t/evil.example'],
  ['/.//evil.example'],
  ['/..//evil.example/x'],
  ['https://evil.example/kat'],
  ['https://kat.example.evil.example'],
  ['https://kat.example/kat'],
  ['javascript:alert(1)'],
  [' javascript:alert(1)'],
  ['data:text/html,x'],
  ['kat'],
  [''],
  [null],
  [42],
])('rejects %j as a page to return to', (value) => {
  expect(safePath(value, ORIGIN)).toBeNull();
});

test('rejects the sign-in pages as pages to return to, which would lead in a circle', () => {
  expect(safePath('/auth/signin?next=/auth/signin', ORIGIN)).toBeNull();
});

test('keeps path, query and hash of a page of ours', () => {
  expect(safePath('/kat?mock=hol&x=%2F#chart', ORIGIN)).toBe('/kat?mock=hol&x=%2F#chart');
});

test('stays on this site, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((s) => `/${s}`),
        fc.string().map((s) => `//${s}`),
      ),
      (text) => {
        const path = safePath(text, ORIGIN);

        expect(path === null || new URL(path, ORIGIN).origin === ORIGIN).toBe(true);
        expect(path === null || /^\/(?![/\\])/.test(path)).toBe(true);
      },
    ),
  );
});

test('prefers next over the remembered page, ignores a hostile next, and falls back to the dashboard', () => {
  expect(returnPath('?next=%2Fgallery%3Fa%3D1%23b', { from: '/kat' }, ORIGIN)).toBe('/gallery?a=1#b');
  expect(returnPath('?next=%2F%2Fevil.example', { from: '/kat' }, ORIGIN)).toBe('/kat');
  expect(returnPath('', { from: '//evil.example' }, ORIGIN)).toBe('/dashboard');
  expect(returnPath('', null, ORIGIN)).toBe('/dashboard');
});
