import { expect, test } from 'vitest';
import { isCostlyMarkdown } from './markdown-limits.ts';

const LENGTH = 20_000;
const repeat = (text: string) => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

/** Each takes the parser seconds to a minute, or nests deeper than a stack is. */
test.each([
  ['emphasis within emphasis', '*a '.repeat(3300) + ' a*'.repeat(3300)],
  ['marks of emphasis in turn', repeat('*_')],
  ['links without an end', repeat('[')],
  ['quotes within quotes', repeat('>')],
  ['quotes with blanks between', repeat('> ')],
  ['lists within lists', repeat('1. ')],
  ['bullets within bullets', repeat('- a - ').replaceAll('a ', '')],
  ['seven lists on each line', repeat('1. 1. 1. 1. 1. 1. 1. a\n')],
  ['lists that begin far to the right', `${' '.repeat(60)}- a`],
  ['underlined headings', repeat('a\n=\n')],
  ['lines that end as old machines end them', repeat('a\r=\r')],
  ['open tags', repeat('<a ')],
])('detects that %s cost too much', (_what, content) => {
  expect(isCostlyMarkdown(content)).toBe(true);
});

const POST = [
  '# What is new',
  'A **bold** word, `code_with_names`, a [link](https://kat.example/a_b) & more.',
  '- one\n  - two\n    1. three\n      > four',
  '> quoted\n> on two lines',
  '```\n                                                            far to the right, but code\n```',
].join('\n\n');

test('accepts a usual post, and one of the greatest length', () => {
  expect(isCostlyMarkdown(POST)).toBe(false);
  expect(isCostlyMarkdown(`${POST}\n\n`.repeat(Math.floor(LENGTH / POST.length / 2)))).toBe(false);
  expect(isCostlyMarkdown(repeat('Plain words, and nothing else. '))).toBe(false);
});

test('takes ten times as long for a text ten times as long, whatever the text', () => {
  const timeOf = (length: number) => {
    const startedMs = Date.now();
    for (const text of [' ', '\t', '\n', '*', '- ', '1', '1. ', '> ', '\\', ' >', ' - a'])
      isCostlyMarkdown(text.repeat(length));
    return Date.now() - startedMs;
  };
  // The best of several pairs: a busy machine prolongs some, and quadratic time would be a hundred times as long.
  const ratios = Array.from({ length: 5 }, () => {
    const shortMs = timeOf(LENGTH);
    return timeOf(LENGTH * 10) / shortMs;
  });

  expect(Math.min(...ratios)).toBeLessThan(40);
});
