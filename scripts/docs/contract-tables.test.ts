import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTIONS } from '#domain/contract/functions.ts';
import { ROOT } from '../steps.ts';
import { withContractTables } from './contract-tables.ts';

const document = readFileSync(join(ROOT, 'docs/http-api.md'), 'utf8');

test('documents each function of the contract as it is: npm run release -- http-api writes the tables', () => {
  expect(withContractTables(document)).toBe(document);
  for (const name of Object.keys(FUNCTIONS)) expect(document).toContain(`\n| \`${name}\``);
});

test('refuses a mark of an unknown part, and a document that lacks one', () => {
  expect(() => withContractTables(`${document}\n<!-- functions: gifts -->\n\n`)).toThrow('no part gifts');
  expect(() => withContractTables('')).toThrow('no mark for routes');
  expect(() => withContractTables('<!-- routes -->\n\n')).toThrow('no mark for predictions, sharing');
});
