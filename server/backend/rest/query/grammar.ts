/**
 * The query grammar of the table interface: `select`, filters, `or`, `and`, `order`, `limit`, `offset`, `columns`,
 * `on_conflict`. Unknown syntax is refused with PGRST100, never ignored.
 */

import { notUnderstood } from '../rest-error.ts';
import { isPattern, parseFilter, parseGroup } from './filter-grammar.ts';
import {
  type Condition,
  type Filter,
  MAX_DEPTH,
  MAX_FILTERS,
  MAX_NAMES,
  MAX_ORDER_TERMS,
  MAX_PATTERNS,
  MAX_REPEATS,
  type OrderTerm,
  type QueryTree,
  type SelectItem,
} from './query-tree.ts';
import { Scanner } from './scanner.ts';

export const GROUP_KEY = /^(not\.)?(and|or)$/;

/** @param params decoded, in their order. @throws RestError PGRST100 naming the part that was not understood */
export function parseQuery(params: Iterable<readonly [string, string]>): QueryTree {
  const single = new Map<string, string>();
  const filters: Filter[] = [];
  for (const [key, value] of params) {
    if (key.includes('\0') || value.includes('\0')) throw notUnderstood('a NUL character', key.replaceAll('\0', '?'));
    const group = GROUP_KEY.exec(key);
    if (group) filters.push(parseGroup(value, group[2] === 'or' ? 'or' : 'and', group[1] !== undefined));
    else if (!SINGLE_KEYS.has(key)) filters.push(parseFilter(key, value));
    else if (single.has(key)) throw notUnderstood(`a second ${key}`, value);
    else single.set(key, value);
  }
  checkBounds(filters);
  return {
    select: whenPresent(single.get('select'), parseSelect),
    filters,
    order: whenPresent(single.get('order'), parseOrder) ?? [],
    limit: whenPresent(single.get('limit'), (text) => parseCount(text, 'limit')),
    offset: whenPresent(single.get('offset'), (text) => parseCount(text, 'offset')),
    columns: whenPresent(single.get('columns'), (text) => parseNames(text, 'columns')),
    onConflict: whenPresent(single.get('on_conflict'), (text) => parseNames(text, 'on_conflict')),
  };
}

export const SINGLE_KEYS: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
]);

function whenPresent<T>(text: string | undefined, parse: (text: string) => T): T | null {
  return text === undefined ? null : parse(text);
}

function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter');
  const items = parseSeparated(scanner, text, (): SelectItem => {
    scanner.skipSpaces();
    if (scanner.accepts('*')) return { column: '*', alias: null };
    const first = scanner.name();
    return scanner.accepts(':') ? { column: scanner.name(), alias: first } : { column: first, alias: null };
  });
  const times = new Map<string, number>();
  for (const { column } of items) times.set(column, (times.get(column) ?? 0) + 1);
  if (Math.max(...times.values()) > MAX_REPEATS)
    throw notUnderstood(`a column selected more than ${MAX_REPEATS} times`, text);
  return items;
}

const ORDER_ENDING = /^(?:\.(asc|desc))?(?:\.nulls(first|last))?$/;

function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms = parseSeparated(scanner, text, (): OrderTerm => {
    scanner.skipSpaces();
    const column = scanner.name();
    let ending = '';
    while (scanner.accepts('.')) ending += `.${scanner.word()}`;
    scanner.skipSpaces();
    const match = ORDER_ENDING.exec(ending);
    if (!match) throw scanner.fail();
    return {
      column,
      direction: match[1] === 'desc' ? 'desc' : 'asc',
      nulls: match[2] === 'first' ? 'first' : match[2] === 'last' ? 'last' : null,
    };
  });
  if (terms.length > MAX_ORDER_TERMS) throw notUnderstood(`an order of more than ${MAX_ORDER_TERMS} columns`, text);
  return terms;
}

function parseNames(text: string, what: string): string[] {
  const scanner = new Scanner(text, what);
  return parseSeparated(scanner, text, () => scanner.name());
}

function parseSeparated<T>(scanner: Scanner, text: string, one: () => T): T[] {
  const items = [one()];
  while (scanner.accepts(',')) {
    items.push(one());
    if (items.length > MAX_NAMES) throw notUnderstood(`more than ${MAX_NAMES} names`, text);
  }
  scanner.expectEnd();
  return items;
}

function parseCount(text: string, what: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw notUnderstood(what, text);
  return Number(text);
}

function checkBounds(filters: readonly Filter[]): void {
  const conditions = filters.flatMap(conditionsOf);
  if (conditions.length > MAX_FILTERS) throw notUnderstood(`more than ${MAX_FILTERS} filters`);
  if (conditions.filter((one) => one.kind === 'compare' && isPattern(one.operator)).length > MAX_PATTERNS)
    throw notUnderstood(`more than ${MAX_PATTERNS} patterns`);
  if (filters.some((filter) => depthOf(filter) > MAX_DEPTH))
    throw notUnderstood(`filters nested deeper than ${MAX_DEPTH}`);
}

function conditionsOf(filter: Filter): Condition[] {
  return filter.kind === 'group' ? filter.members.flatMap(conditionsOf) : [filter];
}

function depthOf(filter: Filter): number {
  return filter.kind === 'group' ? 1 + Math.max(...filter.members.map(depthOf)) : 0;
}
