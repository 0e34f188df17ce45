import { expect, test } from 'vitest';
import { commentLines } from './comment-lines.ts';
import { documentLines } from './document-lines.ts';
import { findPrivateWord, wordFaults } from './private-words.ts';

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

const DOCUMENT = [
  '# What is told',
  '',
  'A plain line with `told`, “told” and',
  "'told in quotes' of the users' list.",
  '',
  '| door | `door` |',
  '|---|---|',
  '| [the door](door.md) | x |',
  '',
  '```',
  'told',
  '```',
  '',
  '- An item **stands** here.',
].join('\n');

test('reports the file, line, word and replacement of private words in the prose of a document', () => {
  expect(wordFaults('a.md', documentLines(DOCUMENT))).toEqual([
    expect.stringMatching(/^a\.md:1: 'told': write reported/),
    expect.stringMatching(/^a\.md:6: 'door': write gateway/),
    expect.stringMatching(/^a\.md:8: 'door': write gateway/),
    expect.stringMatching(/^a\.md:14: 'stands': write is/),
  ]);
});

test('reads code as one character, and an apostrophe as no quotation', () => {
  expect(documentLines("A `name` of the users' and the hosts' list.")).toEqual([
    { line: 1, text: "A x of the users' and the hosts' list." },
  ]);
});
