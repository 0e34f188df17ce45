import { expect, test } from 'vitest';
import { foreignLine, foreignParagraphs } from './foreign-text.ts';

test.each([
  ['plain text', 'How a band is read', 'How a band is read'],
  ['markup, which is text like any other', '<b>a</b> & <script>', '<b>a</b> & <script>'],
  ['another script', 'العملات', 'العملات'],
  ['nothing', '', ''],
  ['a character that the database refuses', 'a\u0000b', 'ab'],
  ['half a character', 'a\uD800b', 'a\uFFFDb'],
  ['a direction turned around', 'x\u202Egnp.exe\u202C', 'xgnp.exe'],
  ['invisible characters', '\uFEFFa\u200Bb\u2066c\u2069', 'abc'],
  ['lines and spaces', ' a \r\n\t b\u2028c ', 'a b c'],
  ['words with joiners', 'می\u200Cخواهم', 'می\u200Cخواهم'],
  ['stacked marks', `e${'\u0301'.repeat(50)}x`, `e${'\u0301'.repeat(4)}x`],
])('keeps the displayable part of %s', (_what, text, expected) => {
  expect(foreignLine(text, 100)).toBe(expected);
});

test('cuts a long text, but never within a character', () => {
  expect(foreignLine('Word'.repeat(2560), 20)).toBe('WordWordWordWordWor…');
  expect(foreignLine(`abc\u{1F600}def`, 5)).toBe('abc…');
  expect(foreignLine('abcde', 5)).toBe('abcde');
});

test('keeps the lines of paragraphs', () => {
  expect(foreignParagraphs('One \r\n two\n\n\n\nThree\t3 ', 100)).toBe('One\ntwo\n\nThree 3');
});
