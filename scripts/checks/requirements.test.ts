import { expect, test } from 'vitest';
import { findFaults, readRequirements } from './requirements.ts';

const EXAMPLE = [
  '2 requirements, 1 of them without a test.',
  '',
  '| number | requirement | file | test |',
  '|---|---|---|---|',
  "| R-PLAN-1 | A plan has a price. | `plans.ts` | `plans.test.ts` › `a plan's price` |",
  '| R-PLAN-2 | A plan has a name. | `plans.ts` | none |',
].join('\n');
const FILES = new Map([
  ['plans.ts', '/** R-PLAN-1. */ export const PRICE = 1;'],
  ['plans.test.ts', "// a forgotten title\ntest('a plan\\'s price is whole', () => {});"],
]);

test('reads number, text, file and test of a row', () => {
  expect(readRequirements(EXAMPLE)).toEqual([
    {
      number: 'R-PLAN-1',
      text: 'A plan has a price.',
      file: 'plans.ts',
      test: { file: 'plans.test.ts', title: "a plan's price" },
    },
    { number: 'R-PLAN-2', text: 'A plan has a name.', file: 'plans.ts', test: null },
  ]);
  expect(findFaults(EXAMPLE, FILES)).toEqual([]);
});

test.each([
  ['a number twice', 'R-PLAN-2', 'R-PLAN-1', 'R-PLAN-1 is where R-PLAN-2 is expected'],
  ['a number left out', 'R-PLAN-2', 'R-PLAN-3', 'R-PLAN-3 is where R-PLAN-2 is expected'],
  ['a number of another form', 'R-PLAN-2', 'R-plan-2', "R-plan-2 isn't the number of a requirement"],
  ['a row without a file', '| `plans.ts` | none |', '| none |', 'This row does not read'],
  ['a file that is not there', '| `plans.ts` | none |', '| `prices.ts` | none |', 'R-PLAN-2: there is no prices.ts'],
  ['a test file that is not there', 'plans.test.ts', 'prices.test.ts', 'R-PLAN-1: there is no prices.test.ts'],
  ['a title that no test has', "a plan's price", "a plan's name", "has no test with 'a plan's name' in its title"],
  ['a title from a comment', "a plan's price", 'a forgotten title', "has no test with 'a forgotten title'"],
  ['a title of two letters', "a plan's price", 'pr', "has no test with 'pr'"],
  ['a wrong total', '2 requirements', '3 requirements', 'there are 2 requirements, 1 of them without'],
])('finds %s', (_fault, text, planted, message) => {
  expect(findFaults(EXAMPLE.replace(text, planted), FILES)).toContainEqual(expect.stringContaining(message));
});

test('finds a citation of a number that the document does not have', () => {
  const cited = new Map([...FILES, ['price.ts', '// R-PLAN-2 and R-PLAN-9']]);

  expect(findFaults(EXAMPLE, cited)).toEqual(['price.ts cites R-PLAN-9, which docs/requirements.md does not have']);
});
