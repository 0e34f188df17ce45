import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { MUTATIONS } from './mutations.ts';

test('has forty faults, each with one place in the source of today', () => {
  const misplaced = MUTATIONS.filter(({ file, find, replace }) => {
    const source = readFileSync(`${ROOT}/${file}`, 'utf8');
    return source.split(find).length !== 2 || find === replace;
  });

  expect(misplaced.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
  expect(MUTATIONS).toHaveLength(40);
});
