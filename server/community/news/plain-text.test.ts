import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

const LIMIT = 280;

test.each([
  ['plain words stay', 'Bitcoin at 5 < 6, and 7 > 3', 'Bitcoin at 5 < 6, and 7 > 3'],
  ['tags go, words stay whole', '<b>Bit</b>coin <em>up</em>', 'Bitcoin up'],
  ['paragraphs are apart', '<p>One.</p><p>Two.<br/>Three.</p>', 'One. Two. Three.'],
  ['entities are their characters', 'Tom &amp; Jerry &#8212; &euro;5&nbsp;off', 'Tom & Jerry — €5 off'],
  ['markup that was escaped twice goes too', '&lt;p&gt;Hello&lt;/p&gt; &amp;amp; all', 'Hello & all'],
  ['what a script says is no text', '<script>alert(1)</script>News<style>p{}</style>', 'News'],
  ['a script without an end takes the rest', 'News<script>alert(1)', 'News'],
  ['a picture that does something', '<img src=x onerror=alert(1)>News', 'News'],
  ['a tag without an end', 'News <a href="x', 'News'],
  ['a comment', 'Ne<!-- > hidden -->ws', 'News'],
  ['control characters', 'a\u0000b\u0007c\u009fd', 'a b c d'],
  ['lines and tabs', ' a\n\tb\u2028c ', 'a b c'],
  ['overrides of direction', '\u202egnp.exe\u202c and \u2066x\u2069', 'gnp.exe and x'],
  ['what has no width', 'a\u200bb\ufeffc\u00ad', 'abc\u00ad'],
  ['the joiner of an emoji stays', '👩‍🚀', '👩‍🚀'],
  ['marks heaped on a letter', `z${'\u0301'.repeat(50)}`, '\u017a\u0301\u0301\u0301'],
  ['half of a pair', 'a\ud800b', 'a\ufffdb'],
])('converts HTML to text: %s', (_what, html, expected) => {
  expect(plainText(html, LIMIT)).toBe(expected);
});

test.each([[''], ['   '], ['<p></p>'], ['\u200b'], [null], [undefined]])('returns null for %j', (html) => {
  expect(plainText(html, LIMIT)).toBe(null);
});

test('cuts a long text between code points, with an ellipsis', () => {
  expect(plainText('x'.repeat(280), LIMIT)).toBe('x'.repeat(280));
  expect(plainText('x'.repeat(281), LIMIT)).toBe(`${'x'.repeat(279)}…`);
  expect(plainText('😀'.repeat(300), LIMIT)).toBe(`${'😀'.repeat(279)}…`);
});

test.each([
  ['in the middle of a word', 'One two three four', 12, 'One two…'],
  ['at the end of a word', 'One two three four', 8, 'One two…'],
  ['in a word that is too long to drop', `One ${'x'.repeat(50)}`, 40, `One ${'x'.repeat(35)}…`],
])('shortens a text whose limit is %s without a part of a word', (_where, text, limit, expected) => {
  expect(plainText(text, limit)).toBe(expected);
});

test('shortens any long input to one line without control characters', () => {
  const piece = fc.constantFrom('<', '>', '<script>', '</p>', '&lt;', '&amp;', '"', '<!--', '\u202e', '😀', 'a', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 400 }), (pieces, times) => {
      const text = plainText(pieces.join('').repeat(times), LIMIT) ?? '';

      expect([...text].length).toBeLessThanOrEqual(LIMIT);
      expect(text).toBe(text.trim());
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
    { numRuns: 50 },
  );
});
