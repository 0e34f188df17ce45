/** `column=operator.value` at the top, `column.operator.value` and nested groups in `or=(...)`, `and=(...)`. */

import { notUnderstood } from '../rest-error.ts';
import {
  type ComparisonOperator,
  type Condition,
  type Filter,
  type Group,
  type IsValue,
  MAX_DEPTH,
  MAX_FILTERS,
  MAX_PATTERN_LENGTH,
  MAX_VALUE_LENGTH,
  MAX_WILDCARDS,
} from './query-tree.ts';
import { Scanner } from './scanner.ts';

const COMPARISONS: ReadonlyMap<string, ComparisonOperator> = new Map(
  (['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const).map((word) => [word, word]),
);
const IS_VALUES: ReadonlyMap<string, IsValue> = new Map(
  (['null', 'not_null', 'true', 'false', 'unknown'] as const).map((word) => [word, word]),
);

export const OPERATORS: readonly string[] = [...COMPARISONS.keys(), 'is', 'in'];

/** Also those that are refused. */
const ANY_OPERATION =
  /^(?:not\.)?(?:eq|neq|gte?|lte?|i?like|is|in|isdistinct|i?match|(?:pl|ph|w)?fts|cs|cd|ov|sl|sr|nxr|nxl|adj)(?:\([^)]*\))?\./;

/** Whether a parameter's value begins like a filter's. */
export function isOperation(value: string): boolean {
  return ANY_OPERATION.test(value);
}

const NO_WILDCARD = /[^%_*]/g;

export function isPattern(operator: ComparisonOperator): boolean {
  return operator === 'like' || operator === 'ilike';
}

export function parseFilter(key: string, value: string): Condition {
  const keyScanner = new Scanner(key, 'filter');
  const column = keyScanner.name();
  keyScanner.expectEnd();
  const scanner = new Scanner(value, 'filter');
  const condition = operation(scanner, column, () => scanner.rest());
  scanner.expectEnd();
  return condition;
}

export function parseGroup(text: string, join: 'and' | 'or', isNegated: boolean): Group {
  const scanner = new Scanner(text, 'logic tree');
  const group = members(scanner, join, isNegated, 1);
  scanner.expectEnd();
  return group;
}

function members(scanner: Scanner, join: 'and' | 'or', isNegated: boolean, depth: number): Group {
  if (depth > MAX_DEPTH) throw notUnderstood(`filters nested deeper than ${MAX_DEPTH}`, scanner.rest());
  const found: Filter[] = [];
  scanner.skipSpaces();
  scanner.expect('(');
  do {
    scanner.skipSpaces();
    found.push(member(scanner, depth));
    scanner.skipSpaces();
    if (found.length > MAX_FILTERS) throw notUnderstood(`more than ${MAX_FILTERS} filters`, scanner.rest());
  } while (scanner.accepts(','));
  scanner.expect(')');
  scanner.skipSpaces();
  return { kind: 'group', isNegated, join, members: found };
}

const INNER_GROUPS = [
  { opening: 'and', join: 'and', isNegated: false },
  { opening: 'or', join: 'or', isNegated: false },
  { opening: 'not.and', join: 'and', isNegated: true },
  { opening: 'not.or', join: 'or', isNegated: true },
] as const;

function member(scanner: Scanner, depth: number): Filter {
  for (const { opening, join, isNegated } of INNER_GROUPS)
    if (scanner.seesGroup(opening)) {
      scanner.expect(opening);
      return members(scanner, join, isNegated, depth + 1);
    }
  const column = scanner.name();
  scanner.expect('.');
  return operation(scanner, column, () => scanner.innerValue());
}

function operation(scanner: Scanner, column: string, readValue: () => string): Condition {
  const isNegated = scanner.accepts('not.');
  const word = scanner.word();
  scanner.expect('.');
  if (word === 'in') return { kind: 'in', column, isNegated, values: scanner.list() };
  const value = readValue();
  if (word === 'is') {
    const known = IS_VALUES.get(value.trim().toLowerCase());
    if (known === undefined) throw scanner.fail();
    return { kind: 'is', column, isNegated, value: known };
  }
  const operator = COMPARISONS.get(word);
  if (operator === undefined) throw scanner.fail();
  const maxLength = isPattern(operator) ? MAX_PATTERN_LENGTH : MAX_VALUE_LENGTH;
  if (value.length > maxLength) throw notUnderstood(`a value longer than ${maxLength} characters`, value);
  if (isPattern(operator) && value.replace(NO_WILDCARD, '').length > MAX_WILDCARDS)
    throw notUnderstood(`a pattern with more than ${MAX_WILDCARDS} wildcards`, value);
  return { kind: 'compare', column, isNegated, operator, value };
}
