import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { readWays, waysFaults } from './house-ways.ts';

const ways = readWays(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
const [first] = ways;

test('leaves out no file of a way, names none twice, and each exists', () => {
  expect(waysFaults(ways, ROOT)).toEqual([]);
});

test('notices a file that is missing, one named twice, and a step left out', () => {
  if (first === undefined) throw new Error('docs/architecture.md holds no way');
  const fault = (steps: typeof first.steps) => waysFaults([{ ...first, steps }], ROOT).join();
  const [start, ...rest] = first.steps;

  expect(fault([...first.steps, { file: 'web/nowhere.ts', isAcrossBorder: false, border: null }])).toMatch(
    /nowhere.ts does not exist/,
  );
  expect(fault([...first.steps, ...first.steps.slice(-1)])).toMatch(/is named twice/);
  expect(fault([...(start === undefined ? [] : [start]), ...rest.slice(1)])).toMatch(
    /no other file of the way imports/,
  );
});
