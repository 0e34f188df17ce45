/** Random writes, and their effect on a map of rows: all of a statement or nothing, each user within her own rows. */
import * as fc from 'fast-check';
import { answerOf, type PlainFilter, type PlainRow } from './plain-rows.ts';
import { plainFilters, plainValues } from './plain-rows-queries.ts';

/** A row as sent: any column except the key may be left out. */
export type SentRow = { id: number } & Partial<Omit<PlainRow, 'id'>>;

export type PlainWrite =
  | { kind: 'insert'; rows: readonly SentRow[] }
  | { kind: 'upsert'; rows: readonly SentRow[]; ignoresDuplicates: boolean }
  | { kind: 'update'; change: Partial<Omit<PlainRow, 'id'>>; filters: readonly PlainFilter[] }
  | { kind: 'delete'; filters: readonly PlainFilter[] };

export interface OwnedRow {
  owner: string;
  row: PlainRow;
}

export type Outcome = { code: string } | { rows: readonly PlainRow[] };

const EMPTY: Omit<PlainRow, 'id'> = { n: null, word: null, amount: null, is_on: null, at: null, doc: null };

/** Applies the write to `stored` only if it succeeds. @returns SQLSTATE, or the rows that were written */
export function writeInto(stored: Map<number, OwnedRow>, owner: string, write: PlainWrite): Outcome {
  const draft = new Map(stored);
  const outcome = applied(draft, owner, write);
  if ('rows' in outcome) {
    stored.clear();
    for (const [id, owned] of draft) stored.set(id, owned);
  }
  return outcome;
}

function applied(draft: Map<number, OwnedRow>, owner: string, write: PlainWrite): Outcome {
  const own = () => [...draft.values()].filter((owned) => owned.owner === owner).map((owned) => owned.row);
  const matched = (filters: readonly PlainFilter[]) => {
    const { rows } = answerOf(own(), { filters, order: [], offset: 0, limit: null, select: null });
    return rows as PlainRow[];
  };
  switch (write.kind) {
    case 'insert':
      return inserted(draft, owner, write.rows, 'refuse');
    case 'upsert':
      return inserted(draft, owner, write.rows, write.ignoresDuplicates ? 'ignore' : 'merge');
    case 'update': {
      if (write.filters.length === 0) return { code: '21000' };
      const rows = matched(write.filters).map((row) => ({ ...row, ...write.change }));
      for (const row of rows) draft.set(row.id, { owner, row });
      return { rows };
    }
    case 'delete': {
      if (write.filters.length === 0) return { code: '21000' };
      const rows = matched(write.filters);
      for (const row of rows) draft.delete(row.id);
      return { rows };
    }
  }
}

function inserted(
  draft: Map<number, OwnedRow>,
  owner: string,
  sent: readonly SentRow[],
  onConflict: 'refuse' | 'ignore' | 'merge',
): Outcome {
  // A bulk insert uses the columns of all its rows; a row that lacks one gets null.
  const columns = new Set(sent.flatMap((row) => Object.keys(row)));
  const written: PlainRow[] = [];
  const touched = new Set<number>();
  for (const one of sent) {
    const existing = draft.get(one.id);
    const full: PlainRow = { ...EMPTY, ...one };
    if (existing === undefined) {
      draft.set(one.id, { owner, row: full });
      touched.add(one.id);
      written.push(full);
      continue;
    }
    if (onConflict === 'ignore') continue;
    if (onConflict === 'refuse') return { code: '23505' };
    if (touched.has(one.id)) return { code: '21000' };
    if (existing.owner !== owner) return { code: '42501' };
    const named = Object.fromEntries(Object.entries(full).filter(([name]) => columns.has(name)));
    const merged: PlainRow = { ...existing.row, ...named };
    draft.set(one.id, { owner, row: merged });
    touched.add(one.id);
    written.push(merged);
  }
  return { rows: written };
}

const HIGHEST_ID = 12;

const partial = plainValues.chain((values) =>
  fc
    .subarray(Object.keys(values))
    .map(
      (names): Partial<PlainRow> => Object.fromEntries(Object.entries(values).filter(([key]) => names.includes(key))),
    ),
);
const sentRow = fc
  .tuple(fc.integer({ min: 1, max: HIGHEST_ID }), partial)
  .map(([id, some]): SentRow => ({ ...some, id }));
const sentRows = fc.array(sentRow, { minLength: 1, maxLength: 4 });

export const plainWrites: fc.Arbitrary<PlainWrite> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), rows: sentRows }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('upsert' as const), rows: sentRows, ignoresDuplicates: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      change: partial.filter((change) => Object.keys(change).length > 0),
      filters: plainFilters,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), filters: plainFilters }) },
);
