import { expect, test } from 'vitest';
import { websiteHref } from './website.ts';

test.each([
  ['example.com', 'https://example.com'],
  ['example.com:8080/a?b', 'https://example.com:8080/a?b'],
  [' http://example.com/x ', 'http://example.com/x'],
  ['HTTPS://Example.com', 'HTTPS://Example.com'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,x', null],
  ['mailto:a@example.com', null],
  ['//evil.example', null],
  ['https://kat.example@evil.example/', null],
  ['kat.example@evil.example', null],
  ['https:\\\\evil.example', null],
  ['java\nscript:alert(1)', null],
  ['', null],
])('the website %j leads to %s', (text, href) => {
  expect(websiteHref(text)).toBe(href);
});
