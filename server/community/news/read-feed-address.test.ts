import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalAddress, pictureAddress } from './read-feed.ts';

const FEED = 'https://feeds.example.com/all/feed.xml';

test.each([
  ['https://a.example/x?utm_source=rss&UTM_Medium=feed', 'https://a.example/x'],
  ['https://a.example/x?b=1&utm_campaign=c&c=%20d#part', 'https://a.example/x?b=1&c=%20d'],
  ['https://A.Example:443/x', 'https://a.example/x'],
  ['https://Bad.Example./x', 'https://bad.example/x'],
  ['https://bad.example.:8443/x', 'https://bad.example:8443/x'],
  ['  https://a.example/x\n', 'https://a.example/x'],
  ['/story/1', 'https://feeds.example.com/story/1'],
  ['https://a.example/?autumn=1', 'https://a.example/?autumn=1'],
])('normalizes %j to %j', (address, expected) => {
  expect(canonicalAddress(address, FEED)).toBe(expected);
});

test.each([
  ['http://a.example/x'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['ftp://a.example/'],
  ['https://user:password@a.example/'],
  ['https://'],
  ['https://./x'],
  [`https://a.example/${'x'.repeat(2000)}`],
  [''],
  [undefined],
])('refuses %j as the address of an article', (address) => {
  expect(canonicalAddress(address, FEED)).toBe(null);
});

test('leaves a normalized address unchanged', () => {
  const part = fc.constantFrom('utm_source=x', 'UTM_=y', 'a=1', '', 'b', '%20=%2F', 'ü=ö', 'utmost=1', '+=?');
  const path = fc.constantFrom('', '/', '/a b', '/ü/%41', '//x', '/..//y', '/#z');
  fc.assert(
    fc.property(path, fc.array(part, { maxLength: 6 }), (where, parts) => {
      const once = canonicalAddress(`https://a.example${where}?${parts.join('&')}#f`, FEED);

      expect(once).not.toMatch(/#|[?&]utm_/i);
      expect(canonicalAddress(once, FEED)).toBe(once);
    }),
  );
});

test('requires https of a picture, except from the sandbox feed', () => {
  expect(pictureAddress('p.png?utm_x=1', FEED)).toBe('https://feeds.example.com/all/p.png?utm_x=1');
  expect(pictureAddress('http://a.example/p.png', FEED)).toBe(null);
  expect(pictureAddress('data:image/png;base64,AAAA', FEED)).toBe(null);
  expect(pictureAddress('p.png', 'http://127.0.0.1:9/news/wire.xml')).toBe('http://127.0.0.1:9/news/p.png');
});
