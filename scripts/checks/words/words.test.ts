import { expect, test } from 'vitest';
import { documentLines } from './document-lines.ts';
import { findNameWord, nameFaults } from './name-words.ts';
import { findCopyWord, findPrivateWord, wordFaults } from './private-words.ts';
import { titleFaults } from './test-titles.ts';

test.each([
  ['Nothing is told to the caller.', 'told'],
  ['Whoever asks gets it.', 'Whoever'],
  ['The record stands here.', 'stands'],
  ['All of them at once.', 'at once'],
])('finds the private word of %j', (text, word) => {
  expect(findPrivateWord(text)?.word).toBe(word);
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

test.each([
  ['The plan is kept.', 'kept'],
  ['They say "nobody".', 'nobody'],
  ['The browser asks itself.', 'asks'],
])('finds the private word of the copy %j', (text, word) => {
  expect(findCopyWord(text)?.word).toBe(word);
});

test.each([
  ['wasTold', 'told'],
  ['TELL_MS', 'tell'],
  ['isHTTPAsked', 'asked'],
  ['kept_at', 'kept'],
  ['standInUrl', 'stand in'],
  ['wordsOf', 'words of'],
  ['PLAN_WORDS', 'words'],
  ['askAgain', 'ask'],
  ['door-keeper.ts', 'door'],
  ['#saidAtMs', 'said'],
])('finds the wrong word of the name %j', (name, word) => {
  expect(findNameWord(name)?.word).toBe(word);
});

test('reports the file, line, name, word and replacement of names, and of the file itself', () => {
  expect(nameFaults('web/said.ts', [{ line: 7, text: 'isKept' }])).toEqual([
    "web/said.ts:1: 'said' in the name 'said.ts': write stated, described, message",
    "web/said.ts:7: 'kept' in the name 'isKept': write stored, cached, retained",
  ]);
});

test.each([
  'a forged webhook is rejected',
  'without a key nothing is sent',
  '%s: the page shows it',
  'what is unknown is left out',
])('finds no verb at the beginning of %j', (text) => {
  const titles = [{ line: 3, text, kind: 'test' as const }];

  expect(titleFaults('a.test.ts', titles)).toEqual([`a.test.ts:3: begin '${text}' with a verb in the present tense`]);
});

test('requires a thing in the title of a group', () => {
  expect(titleFaults('a.test.ts', [{ line: 3, text: 'a plan', kind: 'describe' }])).toEqual([]);
  expect(titleFaults('a.test.ts', [{ line: 3, text: 'without a plan', kind: 'describe' }])).toEqual([
    "a.test.ts:3: name the subject of the group 'without a plan'",
  ]);
});

test('allows a name in the one file that others read it from', () => {
  expect(findNameWord('told', 'server/alerts/open-alerts.ts')).toBeNull();
  expect(findNameWord('told', 'server/alerts/alert-store.ts')?.word).toBe('told');
});
