/** The diagrams match the sources: drawn from them, they cannot drift. */
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { drawDiagrams, isCurrent, roofImports } from './diagrams.ts';
import { layersOf } from './import-counts.ts';

test('keeps every diagram as the sources are: npm run release -- diagrams draws them again', () => {
  const diagrams = drawDiagrams(ROOT);

  expect(diagrams.filter((diagram) => !isCurrent(ROOT, diagram)).map(({ name }) => name)).toEqual([]);
  expect(diagrams.length).toBe(6);
});

test('draws exactly the imports between roofs that the architecture allows', () => {
  expect(roofImports(ROOT).map(({ from, to }) => `${from} -> ${to}`)).toEqual([
    'sandbox -> domain',
    'scripts -> domain',
    'scripts -> sandbox',
    'scripts -> server',
    'scripts -> web',
    'server -> domain',
    'web -> domain',
  ]);
});

test('puts a folder above all that it imports, and refuses a circle', () => {
  const imports = (...pairs: [string, string][]) => pairs.map(([from, to]) => ({ from, to, count: 1 }));

  expect(layersOf(['a', 'b', 'c', 'd'], imports(['a', 'b'], ['b', 'c'], ['a', 'd']))).toEqual([
    ['a'],
    ['b'],
    ['c', 'd'],
  ]);
  expect(() => layersOf(['a', 'b'], imports(['a', 'b'], ['b', 'a']))).toThrow('a -> b -> a');
});
