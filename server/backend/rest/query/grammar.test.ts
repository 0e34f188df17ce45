import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTextOf } from '#domain/format/testing/any-text.ts';
import { RestError } from '../rest-error.ts';
import { queryText } from '../testing/query-text.ts';
import { parseQuery } from './grammar.ts';
import {
  type Filter,
  MAX_FILTERS,
  MAX_LIST_VALUES,
  MAX_ORDER_TERMS,
  MAX_PATTERN_LENGTH,
  MAX_PATTERNS,
  MAX_WILDCARDS,
} from './query-tree.ts';

function refusalOf(pairs: [string, string][]): string {
  try {
    parseQuery(pairs);
    return 'understood';
  } catch (error) {
    return error instanceof RestError ? error.body.code : String(error);
  }
}

const PIECES = [
  ...'abz09_$-. ,()"\\:*%\0\'{}[]<>;é',
  ...['eq.', 'not.', 'in.(', 'is.null', 'or(', 'and(', 'like.', '.asc', '.desc', '.nullsfirst', 'id', '--', 'select'],
];
const anyText = fc.oneof(
  anyTextOf({ maxLength: 40 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((parts) => parts.join('')),
);
const anyKey = fc.oneof(fc.constantFrom('select', 'order', 'limit', 'or', 'and', 'not.or', 'columns', 'id'), anyText);

test('prints and reads any query back equal, or refuses it with PGRST100', () => {
  const pairs = fc.array(fc.tuple(anyKey, anyText), { maxLength: 4 });

  fc.assert(
    fc.property(pairs, (query) => {
      let tree: ReturnType<typeof parseQuery>;
      try {
        tree = parseQuery(query);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
        expect(error instanceof RestError && error.body.code).toBe('PGRST100');
        return;
      }
      expect(parseQuery(queryText(tree))).toEqual(tree);
    }),
    { numRuns: 3000 },
  );
});

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/[\0*]/.test(text));
const value = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0'));
const condition = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    column: name,
    isNegated: fc.boolean(),
    operator: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'),
    value,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    column: name,
    isNegated: fc.boolean(),
    values: fc.array(value, { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('is' as const),
    column: name,
    isNegated: fc.boolean(),
    value: fc.constantFrom('null', 'not_null', 'true', 'false', 'unknown'),
  }),
);
const group = fc.record({
  kind: fc.constant('group' as const),
  isNegated: fc.boolean(),
  join: fc.constantFrom('and', 'or'),
  members: fc.array(condition, { minLength: 1, maxLength: 3 }),
});

function patternsOf(filter: Filter): string[] {
  if (filter.kind === 'group') return filter.members.flatMap(patternsOf);
  return filter.kind === 'compare' && filter.operator.endsWith('like') ? [filter.value] : [];
}

test('prints and reads back every tree, whatever its names and values contain', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(condition, group), { maxLength: 4 }), (filters) => {
      const tree = { select: null, filters, order: [], limit: null, offset: null, columns: null, onConflict: null };

      const patterns = filters.flatMap((filter) => patternsOf(filter as Filter));
      fc.pre(patterns.length <= MAX_PATTERNS && !patterns.some((text) => text.split(/[%_*]/).length > MAX_WILDCARDS));

      expect(parseQuery(queryText(tree as never)).filters).toEqual(filters);
    }),
    { numRuns: 1000 },
  );
});

test('reads what the client library sends', () => {
  const tree = parseQuery([
    ['select', 'id,name:full_name,*'],
    ['id', 'not.in.(1,"a,b",3)'],
    ['or', '(a.eq.1, and(b.gt.2,c.not.is.null),not.or(d.like.x*,e.in.(1,2)))'],
    ['order', 'created_at.desc.nullslast,id.asc'],
    ['limit', '10'],
    ['offset', '20'],
  ]);

  expect(tree).toEqual({
    select: [
      { column: 'id', alias: null },
      { column: 'full_name', alias: 'name' },
      { column: '*', alias: null },
    ],
    filters: [
      { kind: 'in', column: 'id', isNegated: true, values: ['1', 'a,b', '3'] },
      {
        kind: 'group',
        isNegated: false,
        join: 'or',
        members: [
          { kind: 'compare', column: 'a', isNegated: false, operator: 'eq', value: '1' },
          {
            kind: 'group',
            isNegated: false,
            join: 'and',
            members: [
              { kind: 'compare', column: 'b', isNegated: false, operator: 'gt', value: '2' },
              { kind: 'is', column: 'c', isNegated: true, value: 'null' },
            ],
          },
          {
            kind: 'group',
            isNegated: true,
            join: 'or',
            members: [
              { kind: 'compare', column: 'd', isNegated: false, operator: 'like', value: 'x*' },
              { kind: 'in', column: 'e', isNegated: false, values: ['1', '2'] },
            ],
          },
        ],
      },
    ],
    order: [
      { column: 'created_at', direction: 'desc', nulls: 'last' },
      { column: 'id', direction: 'asc', nulls: null },
    ],
    limit: 10,
    offset: 20,
    columns: null,
    onConflict: null,
  });
});

test.each<[string, [string, string][]]>([
  ['an embedded table', [['select', 'id,posts(*)']]],
  ['a cast', [['select', 'id::text']]],
  ['a JSON path', [['data->a', 'eq.1']]],
  ['an operator of another grammar', [['id', 'fts.cat']]],
  ['a quantified operator', [['id', 'like(any).{a,b}']]],
  ['a filter without operator', [['id', '5']]],
  ['is with a value it does not know', [['id', 'is.5']]],
  ['an open parenthesis', [['id', 'in.(1,2']]],
  ['text after a list', [['id', 'in.(1,2)x']]],
  ['a direction it does not know', [['order', 'id.sideways']]],
  ['nulls before the direction', [['order', 'id.nullsfirst.asc']]],
  ['a limit with a plus sign', [['limit', '+1']]],
  ['an empty select', [['select', '']]],
  ['an empty group', [['or', '()']]],
  [
    'select twice',
    [
      ['select', 'a'],
      ['select', 'b'],
    ],
  ],
  ['a NUL in a value', [['id', 'eq.a\0b']]],
  ['more filters than allowed', Array.from({ length: MAX_FILTERS + 1 }, (): [string, string] => ['id', 'eq.1'])],
  ['more filters than allowed in groups', [['or', `(${'a.eq.1,'.repeat(MAX_FILTERS)}a.eq.1)`]]],
  ['groups nested too deep', [['or', '(and(or(and(or(a.eq.1)))))']]],
  ['groups nested absurdly deep', [['or', `${'(and'.repeat(5000)}(a.eq.1)`]]],
  ['too many values in a list', [['id', `in.(${'1,'.repeat(MAX_LIST_VALUES)}1)`]]],
  ['more patterns than allowed', [['or', `(${'a.like.x,'.repeat(MAX_PATTERNS)}a.ilike.x)`]]],
  ['a pattern of many wildcards', [['id', `ilike.${'*a'.repeat(MAX_WILDCARDS + 1)}`]]],
  ['one column selected three times', [['select', 'id,a:id,b:id']]],
  ['all columns three times', [['select', '*,*,*']]],
  ['more order terms than allowed', [['order', Array.from({ length: MAX_ORDER_TERMS + 1 }, () => 'id').join(',')]]],
  ['a pattern that is too long', [['id', `like.${'a'.repeat(MAX_PATTERN_LENGTH + 1)}`]]],
])('refuses %s', (_what, pairs) => {
  expect(refusalOf(pairs)).toBe('PGRST100');
});

test('accepts groups nested as deep as allowed', () => {
  expect(refusalOf([['or', '(and(or(and(a.eq.1))))']])).toBe('understood');
});

// The client library sends a text without quotes, so spaces within a bare value belong to it.
test.each<[string, string[]]>([
  ['in.()', []],
  ['in.( )', []],
  ['in.( \t ) ', []],
  ['in.( 1,2)', ['1', '2']],
  ['in.(1, 2 )', ['1', ' 2 ']],
  ['in.( "a" , "b,c" ,d )', ['a', 'b,c', 'd ']],
  ['in.( "a" b)', ['"a" b']],
  ['in.("")', ['']],
  ['in.(x, y)', ['x', ' y']],
])('reads the list %s', (text, values) => {
  expect(parseQuery([['id', text]]).filters).toEqual([{ kind: 'in', column: 'id', isNegated: false, values }]);
  expect(parseQuery([['or', `(id.${text} , id.is.null)`]]).filters).toMatchObject([{ members: [{ values }, {}] }]);
});
