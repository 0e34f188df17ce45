import { expect, test } from 'vitest';
import { titleFaults } from './test-titles.ts';

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
