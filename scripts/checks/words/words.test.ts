import { expect, test } from 'vitest';
import { commentLines } from './comment-lines.ts';
import { findPrivateWord } from './private-words.ts';

test('finds block, line and trailing comments with their lines', () => {
  const source = [
    '/** First. */',
    'const a = 1; // second',
    '/*',
    ' * third',
    ' */',
    "const url = 'https://example.com';",
    '  // fourth',
  ].join('\n');

  expect(commentLines(source)).toEqual([
    { line: 1, text: 'First.' },
    { line: 2, text: 'second' },
    { line: 4, text: 'third' },
    { line: 7, text: 'fourth' },
  ]);
});

test.each([
  ['Nothing is told to the caller.', 'told'],
  ['Whoever asks gets it.', 'Whoever'],
  ['The record stands here.', 'stands'],
  ['All of them at once.', 'at once'],
])('finds the private word of %j', (text, word) => {
  expect(findPrivateWord(text)?.word).toBe(word);
});

test.each([
  'Returns the best ask.',
  'The name `told` is an identifier.',
  'A stand-alone process.',
  '@param asked the query',
  'The server replies "nobody is signed in".',
])('finds none in %j', (text) => {
  expect(findPrivateWord(text)).toBeNull();
});
