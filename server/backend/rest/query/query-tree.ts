export type ComparisonOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike';
export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Condition =
  | { kind: 'compare'; column: string; isNegated: boolean; operator: ComparisonOperator; value: string }
  | { kind: 'is'; column: string; isNegated: boolean; value: IsValue }
  | { kind: 'in'; column: string; isNegated: boolean; values: readonly string[] };

export interface Group {
  kind: 'group';
  isNegated: boolean;
  join: 'and' | 'or';
  members: readonly Filter[];
}

export type Filter = Condition | Group;

/** `column` is '*' for all columns; then there is no alias. */
export interface SelectItem {
  column: string;
  alias: string | null;
}

export interface OrderTerm {
  column: string;
  direction: 'asc' | 'desc';
  nulls: 'first' | 'last' | null;
}

export interface QueryTree {
  /** Null: not given, all columns. */
  select: readonly SelectItem[] | null;
  filters: readonly Filter[];
  order: readonly OrderTerm[];
  limit: number | null;
  offset: number | null;
  /** The columns of the body to write; null: the keys of its first row. */
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
}

/** The bounds of one request: PGlite has no statement timeout, so the grammar keeps the work small. */
export const MAX_ROWS = 1000;
/** 300 saved predictions, one month of the largest plan, take 11 MB. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Of the address, after the question mark. Node reads at most 16 KiB including headers. */
export const MAX_QUERY_LENGTH = 12_000;
export const MAX_FILTERS = 20;
export const MAX_DEPTH = 4;
export const MAX_LIST_VALUES = 500;
/** `like` and `ilike` read the whole text of every row, so fewer are allowed than of other filters. */
export const MAX_PATTERNS = 4;
export const MAX_PATTERN_LENGTH = 200;
/** Per pattern: `%`, `_` and `*`. The time of a match grows with their number. */
export const MAX_WILDCARDS = 8;
export const MAX_VALUE_LENGTH = 4000;
/** Selected columns, written columns, arguments. */
export const MAX_NAMES = 100;
/** One large column selected a hundred times would produce an answer of gigabytes. */
export const MAX_REPEATS = 2;
export const MAX_ORDER_TERMS = 8;
