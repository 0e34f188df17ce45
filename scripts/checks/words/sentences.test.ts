import { expect, test } from 'vitest';
import { copySentences, countWords, documentSentences, longSentenceFaults, medianWords } from './sentences.ts';
import { readSource } from './source-words.ts';

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const textsOf = (markdown: string): string[] => documentSentences(markdown).map(({ text }) => text);

test('splits a paragraph at the end of each sentence, with the line where it begins', () => {
  const markdown = ['# Title', '', 'The first one. The second', 'goes on here! (A third.) 4 is the', 'last?'].join(
    '\n',
  );

  expect(documentSentences(markdown).map(({ line, text }) => [line, text])).toEqual([
    [1, 'Title'],
    [3, 'The first one.'],
    [3, 'The second\ngoes on here!'],
    [4, '(A third.)'],
    [4, '4 is the\nlast?'],
  ]);
});

test('begins a sentence with code, and ends none at an abbreviation or within a number', () => {
  expect(textsOf('It ends. `npm test` begins. It takes 0.5 s, e.g. Monday, vs. Tuesday.')).toEqual([
    'It ends.',
    'x begins.',
    'It takes 0.5 s, e.g. Monday, vs. Tuesday.',
  ]);
});

test('reads each cell of a table and each item of a list apart', () => {
  expect(textsOf('| a | b |\n|---|---|\n| one; two | Three. Four |\n\n- five\n- six')).toEqual([
    'a',
    'b',
    'one;',
    'two',
    'Three.',
    'Four',
    'five',
    'six',
  ]);
});

test('counts a list of names in code as one word, and no dashes', () => {
  expect(countWords('calls x, x and x at once – or never')).toBe(6);
  expect(documentSentences('Use `a`, `b`, `c`, `d`.')[0]?.words).toBe(2);
});

test('names a sentence of more than 35 words with its file and line', () => {
  expect(longSentenceFaults('a.md', documentSentences(`Short.\n\n${words(35)}.`))).toEqual([]);
  expect(longSentenceFaults('a.md', documentSentences(`Short.\n\n${words(36)}.`))).toEqual([
    "a.md:3: 36 words: split 'word0 word1 word2 word3 word4 word5 ...'",
  ]);
});

test('takes the median of whole sentences, without headings, cells and fragments', () => {
  const markdown = `# ${words(30)}\n\nOne two. One two three. W${words(9)}.\n\n- a fragment\n\n| cell. |\n|---|`;

  expect(medianWords(documentSentences(markdown))).toBe(3);
  expect(medianWords([])).toBe(0);
});

test('reads the copy of a source file whole, between tags and without styles', () => {
  const source = `const a = 'One two. Three four.';\nconst b = <p>\n  Five six\n  seven.\n</p>;\nconst c = ':root { color: red; } body { x: y }';`;

  expect(copySentences(readSource('a.tsx', source).passages).map(({ line, text }) => [line, text])).toEqual([
    [1, 'One two.'],
    [1, 'Three four.'],
    [2, 'Five six seven.'],
  ]);
});
