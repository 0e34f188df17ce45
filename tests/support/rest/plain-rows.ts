/**
 * Queries in plain TypeScript by the rules of SQL (three-valued logic, order of nulls), to compare the gateway with.
 */
export const PLAIN_ROWS_SQL = `
create table public.plain_rows (
  id       integer primary key,
  owner_id uuid not null default auth.uid(),
  n        integer,
  word     text collate "C",
  amount   numeric,
  is_on    boolean,
  at       timestamptz,
  doc      jsonb
);
alter table public.plain_rows enable row level security;
revoke all on public.plain_rows from anon, authenticated;
grant select, insert, update, delete on public.plain_rows to authenticated;
create policy "owners read" on public.plain_rows for select to authenticated using (owner_id = (select auth.uid()));
create policy "owners write" on public.plain_rows for insert to authenticated with check (owner_id = (select auth.uid()));
create policy "owners change" on public.plain_rows for update to authenticated
  using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy "owners delete" on public.plain_rows for delete to authenticated using (owner_id = (select auth.uid()));
`;

export interface PlainRow {
  id: number;
  n: number | null;
  word: string | null;
  amount: number | null;
  is_on: boolean | null;
  /** ISO 8601. */
  at: string | null;
  doc: unknown;
}

export const COLUMNS = ['id', 'n', 'word', 'amount', 'is_on', 'at', 'doc'] as const;
export type ColumnName = (typeof COLUMNS)[number];

export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike';
export type PlainFilter =
  | { kind: 'compare'; column: ColumnName; isNegated: boolean; operator: Operator; value: string }
  | { kind: 'in'; column: ColumnName; isNegated: boolean; values: readonly string[] }
  | { kind: 'is'; column: ColumnName; isNegated: boolean; value: 'null' | 'true' | 'false' | 'unknown' }
  | { kind: 'group'; isNegated: boolean; join: 'and' | 'or'; members: readonly PlainFilter[] };

export interface PlainOrder {
  column: ColumnName;
  isDescending: boolean;
  nullsFirst: boolean | null;
}

export interface PlainQuery {
  filters: readonly PlainFilter[];
  /** The key is always added last, so that the order is total. */
  order: readonly PlainOrder[];
  offset: number;
  limit: number | null;
  /** Alias and column; null: all. */
  select: readonly { alias: string | null; column: ColumnName }[] | null;
}

/** True, false, or null for unknown. */
type Truth = boolean | null;

export function answerOf(rows: readonly PlainRow[], query: PlainQuery): { rows: object[]; total: number } {
  const found = rows.filter((row) => everyOf(query.filters.map((filter) => truthOf(filter, row))) === true);
  const sorted = [...found].sort((a, b) => compareRows(a, b, query.order));
  const page = sorted.slice(query.offset, query.limit === null ? undefined : query.offset + query.limit);
  return { rows: page.map((row) => project(row, query.select)), total: found.length };
}

function project(row: PlainRow, select: PlainQuery['select']): object {
  const items = select ?? COLUMNS.map((column) => ({ alias: null, column }));
  return Object.fromEntries(items.map(({ alias, column }) => [alias ?? column, row[column]]));
}

function truthOf(filter: PlainFilter, row: PlainRow): Truth {
  const truth = plainTruth(filter, row);
  return filter.isNegated && truth !== null ? !truth : truth;
}

function plainTruth(filter: PlainFilter, row: PlainRow): Truth {
  switch (filter.kind) {
    case 'group': {
      const truths = filter.members.map((member) => truthOf(member, row));
      return filter.join === 'and' ? everyOf(truths) : someOf(truths);
    }
    case 'is': {
      const value = row[filter.column];
      if (filter.value === 'null' || filter.value === 'unknown') return value === null;
      return value === (filter.value === 'true');
    }
    case 'in':
      // No value is in an empty list, not even an unknown one.
      if (filter.values.length === 0) return false;
      return someOf(filter.values.map((value) => compared(row, filter.column, 'eq', value)));
    case 'compare':
      return compared(row, filter.column, filter.operator, filter.value);
  }
}

function everyOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function someOf(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

function compared(row: PlainRow, column: ColumnName, operator: Operator, text: string): Truth {
  const value = row[column];
  if (value === null) return null;
  if (operator === 'like') return isLike(String(value), text);
  if (operator === 'ilike') return isLike(lowerAscii(String(value)), lowerAscii(text));
  const sign = compareValues(keyOf(column, value), keyOf(column, text));
  switch (operator) {
    case 'eq':
      return sign === 0;
    case 'neq':
      return sign !== 0;
    case 'gt':
      return sign > 0;
    case 'gte':
      return sign >= 0;
    case 'lt':
      return sign < 0;
    case 'lte':
      return sign <= 0;
  }
}

/** A column's sort key: numbers by value, times by instant, texts by their UTF-8 bytes, false before true. */
function keyOf(column: ColumnName, value: unknown): number | Buffer {
  if (column === 'word') return Buffer.from(String(value), 'utf8');
  if (column === 'at') return Date.parse(String(value));
  if (column === 'is_on') return String(value) === 'true' ? 1 : 0;
  return Number(value);
}

function compareValues(a: number | Buffer, b: number | Buffer): number {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  return Math.sign(Number(a) - Number(b));
}

function compareRows(a: PlainRow, b: PlainRow, order: readonly PlainOrder[]): number {
  for (const { column, isDescending, nullsFirst } of order) {
    const [left, right] = [a[column], b[column]];
    if (left === null && right === null) continue;
    if (left === null || right === null) {
      const isFirst = nullsFirst ?? isDescending;
      return (left === null) === isFirst ? -1 : 1;
    }
    const sign = compareValues(keyOf(column, left), keyOf(column, right));
    if (sign !== 0) return isDescending ? -sign : sign;
  }
  return a.id - b.id;
}

/** SQL's LIKE: `%` any run, `_` one character, a backslash escapes the next one. The protocol's `*` is `%`. */
function isLike(text: string, pattern: string): boolean {
  const parts: (string | { any: boolean })[] = [];
  const chars = [...pattern.replaceAll('*', '%')];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    if (char === '\\') {
      at += 1;
      parts.push(chars[at] ?? '');
    } else if (char === '%' || char === '_') parts.push({ any: char === '%' });
    else parts.push(char);
  }
  const letters = [...text];
  // reach[i]: the parts so far match the first i characters.
  let reach = letters.map(() => false);
  reach = [true, ...reach];
  for (const part of parts) {
    const next: boolean[] = reach.map(() => false);
    for (let i = 0; i <= letters.length; i += 1) {
      if (typeof part === 'object' && part.any) next[i] = reach[i] === true || (i > 0 && next[i - 1] === true);
      else if (i > 0 && reach[i - 1] === true) next[i] = typeof part === 'object' || part === letters[i - 1];
    }
    reach = next;
  }
  return reach[letters.length] === true;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
