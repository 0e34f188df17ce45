/** Names are quoted from the catalogue, values are parameters. */
import type { BodyKind, RowBounds } from '../answer-text.ts';
import type { RelationColumn } from '../catalogue.ts';
import { nearestName } from '../near-name.ts';
import { notUnderstood, unknownColumn, unknownWrittenColumn } from '../rest-error.ts';
import type { ComparisonOperator, Condition, Filter, OrderTerm, SelectItem } from './query-tree.ts';

export interface Statement {
  text: string;
  params: readonly string[];
  /** Set for a procedure that declares more time than other callers' statements get. */
  limitMs?: number;
}

export interface ReadOptions extends RowBounds {
  body: BodyKind;
  hasTotal: boolean;
  offset: number;
  limit: number;
}

/** The relation, or a procedure's row, whose columns a request may name. Its SQL alias is `target`. */
export interface Source {
  name: string;
  columns: ReadonlyMap<string, RelationColumn>;
}

/** Parsed once as its type: a cast would run for every row (500 values, 50,000 rows: 1.2 s, not 60 ms). */
export class SqlParameters {
  readonly values: string[] = [];

  /** @param type  from the catalogue, or a built-in name of PostgreSQL */
  bind(value: string, type = 'text'): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualifiedName(relation: { name: string }): string {
  return `public.${identifier(relation.name)}`;
}

export function columnOf(source: Source, name: string): RelationColumn {
  const column = source.columns.get(name);
  if (column === undefined) throw unknownColumn(source.name, name, nearestName(name, source.columns.keys()));
  return column;
}

/** Quoted. PostgREST has a separate code for unknown columns of a write. @throws RestError PGRST204 */
export function writtenColumn(source: Source, name: string): string {
  const column = source.columns.get(name);
  if (column === undefined) throw unknownWrittenColumn(source.name, name);
  return identifier(column.name);
}

/** Empty without filters, else ` where ...`. */
export function whereText(filters: readonly Filter[], source: Source, parameters: SqlParameters): string {
  if (filters.length === 0) return '';
  return ` where ${filters.map((filter) => filterText(filter, source, parameters)).join(' and ')}`;
}

export function selectText(items: readonly SelectItem[] | null, source: Source, from: string): string {
  return selectedColumns(items, source)
    .map(({ column, name }) => `${from}.${column}${column === name ? '' : ` as ${name}`}`)
    .join(', ');
}

/** Each selected column and its name in the answer, both quoted. A name may occur twice. */
export function selectedColumns(
  items: readonly SelectItem[] | null,
  source: Source,
): readonly { column: string; name: string }[] {
  return (items ?? ALL).flatMap(({ column, alias }) => {
    if (column === '*') return [...source.columns.keys()].map(identifier).map((name) => ({ column: name, name }));
    const found = identifier(columnOf(source, column).name);
    return [{ column: found, name: alias === null ? found : identifier(alias) }];
  });
}

const ALL: readonly SelectItem[] = [{ column: '*', alias: null }];

/** From PostgreSQL 16 on, json is a quoted keyword. */
const JSON_TYPES: ReadonlySet<string> = new Set(['pg_catalog.json', 'pg_catalog."json"', 'pg_catalog.jsonb']);

/** Whole documents are never compared or sorted: each comparison would unpack both (20 kB each in a prediction). */
function requirePlain(column: RelationColumn): void {
  if (JSON_TYPES.has(column.type)) throw notUnderstood('a comparison of JSON documents', column.name);
}

/** Empty without terms, else ` order by ...`. */
export function orderText(terms: readonly OrderTerm[], source: Source): string {
  return orderByText(terms, (term) => orderColumn(term, source));
}

/** @param keyOf  returns the expression that a term sorts by */
export function orderByText(terms: readonly OrderTerm[], keyOf: (term: OrderTerm, nth: number) => string): string {
  if (terms.length === 0) return '';
  const parts = terms.map((term, nth) => {
    const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`;
    return `${keyOf(term, nth)} ${term.direction}${nulls}`;
  });
  return ` order by ${parts.join(', ')}`;
}

export function orderColumn({ column }: OrderTerm, source: Source): string {
  const known = columnOf(source, column);
  requirePlain(known);
  return `target.${identifier(known.name)}`;
}

function filterText(filter: Filter, source: Source, parameters: SqlParameters): string {
  const text =
    filter.kind === 'group'
      ? filter.members.map((member) => filterText(member, source, parameters)).join(` ${filter.join} `)
      : conditionText(filter, source, parameters);
  return filter.isNegated ? `not (${text})` : `(${text})`;
}

const SQL_OPERATOR: Readonly<Record<ComparisonOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
};

const SQL_IS = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const;

function conditionText(condition: Condition, source: Source, parameters: SqlParameters): string {
  const column = columnOf(source, condition.column);
  const name = `target.${identifier(column.name)}`;
  switch (condition.kind) {
    case 'is':
      return `${name} ${SQL_IS[condition.value]}`;
    case 'in':
      if (condition.values.length === 0) return 'false';
      requirePlain(column);
      return `${name} = any (${parameters.bind(arrayText(condition.values), `${column.type}[]`)})`;
    case 'compare': {
      const operator = SQL_OPERATOR[condition.operator];
      const isPattern = condition.operator === 'like' || condition.operator === 'ilike';
      // The protocol also accepts * for %, because % must be escaped in an address.
      if (isPattern) return `${name} ${operator} ${parameters.bind(condition.value.replaceAll('*', '%'))}`;
      requirePlain(column);
      return `${name} ${operator} ${parameters.bind(condition.value, column.type)}`;
    }
  }
}

/** PostgreSQL's text form of an array, every element quoted. */
function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
