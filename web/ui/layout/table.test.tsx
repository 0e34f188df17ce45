import { expect, test } from 'vitest';
import { nextSort } from './table.tsx';

test.each([
  ['a new column begins upwards', undefined, 'asc'],
  ['so it does after another', { key: 'email', direction: 'desc' }, 'asc'],
  ['the same column turns round', { key: 'name', direction: 'asc' }, 'desc'],
  ['and back', { key: 'name', direction: 'desc' }, 'asc'],
] as const)('sorts by a header: %s', (_what, before, direction) => {
  expect(nextSort('name', before)).toEqual({ key: 'name', direction });
});
