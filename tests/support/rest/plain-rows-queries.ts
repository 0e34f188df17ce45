/** Random rows and queries, and the same query built with the client library, whose quoting is the reference. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as fc from 'fast-check';
import { COLUMNS, type ColumnName, type PlainFilter, type PlainQuery, type PlainRow } from './plain-rows.ts';

const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'null',
  'NULL',
  'a,b',
  '(a)',
  'a.b',
  'a:b',
  'a*b',
  '50%',
  'a_b',
  'a\\b',
  '"a"',
];
const ODD_TEXTS = [
  'a"b',
  ' a ',
  'é',
  'É',
  'ß',
  '😀',
  'a😀b',
  "it's",
  'eq.a',
  '{a,b}',
  '[1]',
  '#a&b=c+d',
  'a\nb',
  '日本',
];
const NUMBERS = [-2, -1, 0, 1, 2, 3];
const AMOUNTS = [-3, 0, 0.1, 1.5, 2, 1000.25];
const TIMES = [
  '1999-12-31T23:59:59+00:00',
  '2026-01-02T03:04:05+00:00',
  '2026-01-02T03:04:05.25+00:00',
  '2026-06-30T22:00:00+00:00',
];
const TIME_FORMS = [...TIMES, '2026-01-02T05:04:05+02:00', '2026-01-02T03:04:05Z', '2026-06-30 22:00:00+00'];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS, ...ODD_TEXTS) },
  fc.array(fc.constantFrom(...'aAbB,."()\\*%_: \'+&=#é😀'), { maxLength: 5 }).map((letters) => letters.join('')),
);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null, freq: 4 });

export const plainValues = fc.record({
  n: maybe(fc.constantFrom(...NUMBERS)),
  word: maybe(text),
  amount: maybe(fc.constantFrom(...AMOUNTS)),
  is_on: maybe(fc.boolean()),
  at: maybe(fc.constantFrom(...TIMES)),
  doc: fc.constantFrom(null, [], {}, { a: [1, { b: null }] }, 'text', 0, false),
});

export const plainRowSets = fc
  .array(plainValues, { minLength: 30, maxLength: 60 })
  .map((values) => values.map((value, index): PlainRow => ({ id: index + 1, ...value })));

const pattern = fc
  .array(fc.constantFrom('a', 'A', 'b', 'é', '😀', '%', '_', '*', '\\\\', '\\%', '\\_', '.', ',', '(', '"'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));

const texts = <T>(values: readonly T[]) => fc.constantFrom(...values.map(String));
const VALUES: Readonly<Record<Exclude<ColumnName, 'doc'>, fc.Arbitrary<string>>> = {
  id: texts([1, 2, 7, 20, 55]),
  n: texts(NUMBERS),
  word: text,
  amount: texts([...AMOUNTS, '1.50', '1e3']),
  is_on: texts([true, false]),
  at: texts(TIME_FORMS),
};
const column = fc.constantFrom('id', 'n', 'word', 'amount', 'is_on', 'at' as const);
const isNegated = fc.boolean();

const compare = column.chain((name) =>
  fc.record({
    kind: fc.constant('compare' as const),
    column: fc.constant(name),
    isNegated,
    operator: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte' as const),
    value: VALUES[name],
  }),
);
const like = fc.record({
  kind: fc.constant('compare' as const),
  column: fc.constant('word' as const),
  isNegated,
  operator: fc.constantFrom('like', 'ilike' as const),
  value: pattern,
});
const inList = column.chain((name) =>
  fc.record({
    kind: fc.constant('in' as const),
    column: fc.constant(name),
    isNegated,
    values: fc.array(VALUES[name], { maxLength: 4 }),
  }),
);
const isNull = fc.record({
  kind: fc.constant('is' as const),
  column: fc.constantFrom(...COLUMNS),
  isNegated,
  value: fc.constant('null' as const),
});
const isTruth = fc.record({
  kind: fc.constant('is' as const),
  column: fc.constant('is_on' as const),
  isNegated,
  value: fc.constantFrom('true', 'false', 'unknown', 'null' as const),
});
const condition: fc.Arbitrary<PlainFilter> = fc.oneof(
  { weight: 4, arbitrary: compare },
  { weight: 2, arbitrary: like },
  { weight: 2, arbitrary: inList },
  isNull,
  isTruth,
);

function groups(depth: number): fc.Arbitrary<PlainFilter> {
  const member = depth === 1 ? condition : fc.oneof({ weight: 3, arbitrary: condition }, groups(depth - 1));
  return fc.record({
    kind: fc.constant('group' as const),
    isNegated,
    join: fc.constantFrom('and', 'or' as const),
    members: fc.array(member, { minLength: 1, maxLength: 3 }),
  });
}

export const plainFilters: fc.Arbitrary<PlainFilter[]> = fc
  .array(fc.oneof({ weight: 3, arbitrary: condition }, groups(3)), { maxLength: 3 })
  .filter((filters) => {
    const all = filters.flatMap(conditionsOf);
    return all.length <= 20 && all.filter((one) => one.kind === 'compare' && one.operator.endsWith('like')).length <= 4;
  });

export const plainQueries: fc.Arbitrary<PlainQuery> = fc.record({
  filters: plainFilters,
  order: fc.array(
    fc.record({
      column: fc.constantFrom('n', 'word', 'amount', 'is_on', 'at' as const),
      isDescending: fc.boolean(),
      nullsFirst: fc.constantFrom(null, true, false),
    }),
    { maxLength: 3 },
  ),
  offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 70 })),
  limit: fc.option(fc.nat({ max: 20 }), { nil: null }),
  select: fc.option(
    fc
      .uniqueArray(fc.record({ alias: fc.constantFrom(null, 'x', 'y', 'z_1'), column: fc.constantFrom(...COLUMNS) }), {
        minLength: 1,
        maxLength: 4,
        selector: ({ alias, column: name }) => alias ?? name,
      })
      .filter((items) => COLUMNS.every((name) => items.filter((item) => item.column === name).length <= 2)),
    { nil: null },
  ),
});

function conditionsOf(filter: PlainFilter): PlainFilter[] {
  return filter.kind === 'group' ? filter.members.flatMap(conditionsOf) : [filter];
}

interface Filterable {
  filter(column: string, operator: string, value: unknown): this;
  not(column: string, operator: string, value: unknown): this;
  in(column: string, values: readonly unknown[]): this;
  is(column: string, value: boolean | null): this;
  or(filters: string): this;
}

/** Adds each filter through the client library where it can quote it, else as raw text. */
export function withFilters<Q extends Filterable>(query: Q, filters: readonly PlainFilter[]): Q {
  let built = query;
  for (const one of filters) built = withFilter(built, one);
  return built;
}

function withFilter<Q extends Filterable>(query: Q, one: PlainFilter): Q {
  switch (one.kind) {
    case 'compare':
      return one.isNegated
        ? query.not(one.column, one.operator, one.value)
        : query.filter(one.column, one.operator, one.value);
    case 'is':
      if (one.value === 'unknown' || one.isNegated)
        return query.filter(one.column, `${one.isNegated ? 'not.' : ''}is`, one.value);
      return query.is(one.column, one.value === 'null' ? null : one.value === 'true');
    case 'in':
      // The library quotes commas and parentheses, but does not escape quotes and backslashes; it cannot express ''.
      if (!one.isNegated && one.values.every((value) => value !== '' && !/["\\]/.test(value)))
        return query.in(one.column, one.values);
      return query.filter(one.column, `${one.isNegated ? 'not.' : ''}in`, `(${one.values.map(quoted).join(',')})`);
    case 'group':
      // The library has no `and`: a group of one in an `or` is equivalent, one level deeper.
      return query.or(one.join === 'or' && !one.isNegated ? one.members.map(innerText).join(',') : innerText(one));
  }
}

function innerText(one: PlainFilter): string {
  const not = one.isNegated ? 'not.' : '';
  switch (one.kind) {
    case 'group':
      return `${not}${one.join}(${one.members.map(innerText).join(', ')})`;
    case 'compare':
      return `${one.column}.${not}${one.operator}.${bareWhenPlain(one.value)}`;
    case 'is':
      return `${one.column}.${not}is.${one.value}`;
    case 'in':
      return `${one.column}.${not}in.(${one.values.map(bareWhenPlain).join(',')})`;
  }
}

function bareWhenPlain(value: string): string {
  return /^[^",()\\\s]+$/.test(value) ? value : quoted(value);
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The whole query on `plain_rows`, through the client library. */
export function clientQuery(client: SupabaseClient, query: PlainQuery, options: { hasCount: boolean }) {
  const columns =
    query.select === null
      ? COLUMNS.join(',')
      : query.select.map(({ alias, column: name }) => (alias === null ? name : `${alias}:${name}`)).join(', ');
  const start = client.from('plain_rows').select(columns, options.hasCount ? { count: 'exact' } : {});
  let built = withFilters(start, query.filters);
  for (const { column: name, isDescending, nullsFirst } of query.order)
    built = built.order(name, { ascending: !isDescending, ...(nullsFirst === null ? {} : { nullsFirst }) });
  built = built.order('id');
  if (query.limit !== null && query.limit > 0) return built.range(query.offset, query.offset + query.limit - 1);
  // With limit 0 or none, the offset needs a header: the library only knows ranges.
  if (query.limit === 0) built = built.limit(0);
  return query.offset === 0 ? built : built.setHeader('range', `${query.offset}-`).setHeader('range-unit', 'items');
}
