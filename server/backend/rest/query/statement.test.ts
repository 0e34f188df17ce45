import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_BOUNDS } from '../answer-text.ts';
import type { Relation } from '../catalogue.ts';
import { RestError } from '../rest-error.ts';
import type { Filter, QueryTree } from './query-tree.ts';
import { deleteStatement, insertStatement, readStatement, updateStatement } from './statement.ts';

const column = (name: string, type: string) => [name, { name, type }] as const;
const NOTES: Relation = {
  name: 'odd "table',
  primaryKey: ['id'],
  columns: new Map([
    column('id', 'pg_catalog.int8'),
    column('ti"tle', 'pg_catalog.text'),
    column('data', 'pg_catalog.jsonb'),
  ]),
};
const EMPTY: QueryTree = {
  select: null,
  filters: [],
  order: [],
  limit: null,
  offset: null,
  columns: null,
  onConflict: null,
};
const READ = { body: 'array', hasTotal: true, offset: 0, limit: 10, ...NO_BOUNDS } as const;
const WRITE = { body: 'array', resolution: 'merge-duplicates', ...NO_BOUNDS } as const;

const isId: Filter = { kind: 'compare', column: 'id', isNegated: false, operator: 'eq', value: '1' };
const someName = fc.oneof(fc.constantFrom('id', 'ti"tle', 'data'), fc.string());
const someValue = fc.string({ minLength: 1 }).map((text) => `<${text}>`);
const someFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    column: someName,
    isNegated: fc.boolean(),
    operator: fc.constantFrom('eq' as const, 'gt' as const, 'like' as const),
    value: someValue,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    column: someName,
    isNegated: fc.boolean(),
    values: fc.array(someValue, { maxLength: 3 }),
  }),
);

/** Returns the rest of a statement without its quoted names, its parameters and the words this server writes. */
function strangeText(text: string): string {
  return text
    .replace(/"(?:[^"]|"")*"/g, '')
    .replace(/\$\d+/g, '')
    .replace(/'(\[\]|_kat_[a-z]+_)'/g, '')
    .replace(/[a-z_0-9.]+|[(),:*=<>|\-[\]\s]/g, '');
}

test('contains only known names for any query, and passes each value as a parameter', () => {
  fc.assert(
    fc.property(
      fc.array(someFilter, { minLength: 1, maxLength: 5 }),
      fc.array(someName, { minLength: 1 }),
      (filters, names) => {
        const tree: QueryTree = {
          ...EMPTY,
          filters,
          select: names.map((name) => ({ column: name, alias: null })),
          order: names.map((name) => ({ column: name, direction: 'desc', nulls: 'last' })),
        };
        try {
          const { text, params } = readStatement(NOTES, tree, READ);

          expect(strangeText(text)).toBe('');
          for (const [name] of text.matchAll(/"(?:[^"]|"")*"/g))
            expect(['"odd ""table"', '"id"', '"ti""tle"', '"data"']).toContain(name);
          const used = new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
          expect(used).toEqual(new Set(params.map((_, index) => index + 1)));
        } catch (error) {
          expect(['42703', 'PGRST100']).toContain(error instanceof RestError && error.body.code);
        }
      },
    ),
  );
});

test('quotes an alias, whatever it contains', () => {
  const tree: QueryTree = { ...EMPTY, select: [{ column: 'id', alias: 'a", (select 1) as "b' }] };

  const { text } = readStatement(NOTES, tree, READ);

  expect(text).toContain('target."id" as "a"", (select 1) as ""b"');
});

test.each<[string, Partial<QueryTree>]>([
  ['compared', { filters: [{ kind: 'compare', column: 'data', isNegated: false, operator: 'eq', value: '{}' }] }],
  ['looked up', { filters: [{ kind: 'in', column: 'data', isNegated: false, values: ['{}'] }] }],
  ['sorted by', { order: [{ column: 'data', direction: 'asc', nulls: null }] }],
])('refuses JSON documents that are %s', (_how, tree) => {
  expect(() => readStatement(NOTES, { ...EMPTY, ...tree }, READ)).toThrow(/JSON documents/);
});

test('allows filtering by whether JSON is null', () => {
  const filters: Filter[] = [{ kind: 'is', column: 'data', isNegated: false, value: 'null' }];

  expect(readStatement(NOTES, { ...EMPTY, filters }, READ).text).toContain('target."data" is null');
});

test('fails a statement that must return one row at any other count', () => {
  const { text } = readStatement(NOTES, EMPTY, { ...READ, mustBeOneRow: true });

  expect(text).toContain(
    "case when count(*) <> 1 then ('_kat_rows_' || count(*))::int4 else count(*)::int4 end as rows",
  );
});

test('reads nothing back after a write without a body', () => {
  const rows = { text: '[{"id":1}]', columns: ['id'], count: 1 };

  const { text } = insertStatement(NOTES, EMPTY, rows, { ...WRITE, body: 'none' });

  expect(text).toContain('returning 1)');
  expect(text).not.toContain('target."');
});

test('refuses updates and deletes without a filter before SQL', () => {
  const row = { text: '{"id":1}', columns: ['id'] };

  for (const attempt of [() => updateStatement(NOTES, EMPTY, row, WRITE), () => deleteStatement(NOTES, EMPTY, WRITE)])
    expect(attempt).toThrow(/requires a WHERE clause/);
  expect(deleteStatement(NOTES, { ...EMPTY, filters: [isId] }, WRITE).text).toContain(
    'where (target."id" = $1::pg_catalog.int8)',
  );
});

test('sorts the returned rows of a write by a column that is not returned', () => {
  const tree: QueryTree = {
    ...EMPTY,
    filters: [isId],
    select: [{ column: 'ti"tle', alias: 'id' }],
    order: [{ column: 'id', direction: 'desc', nulls: null }],
  };

  const { text } = deleteStatement(NOTES, tree, WRITE);

  expect(text).toContain('returning target."ti""tle" as _kat_0, target."id" as _kat_by_0)');
  expect(text).toContain('(select _kat_written._kat_0 as "id" from _kat_written order by _kat_written._kat_by_0 desc');
});

test('changes no row in an update without columns, whatever it filters by', () => {
  const { text, params } = updateStatement(NOTES, { ...EMPTY, filters: [isId] }, { text: '{}', columns: [] }, WRITE);

  expect(text).toContain('from public."odd ""table" as target where (target."id" = $1::pg_catalog.int8) limit 0)');
  expect([text.includes('update'), params]).toEqual([false, ['1']]);
});
