/** A day of recorded chances as CSV: one row per chance, written while it is read. */
import { elapsedMinutes } from '#domain/record/chances/chance-moments.ts';
import type { JudgedChance } from '#domain/record/chances/chance-sums.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { firstFrom } from '../figures/day-store.ts';
import type { Reveal } from '../reveal.ts';
import { readJudgedChances } from './judged-chances.ts';

const DAY_MS = 86_400_000;
const PAGE = 500;

type Cell = string | number | null | undefined;
type Column = readonly [head: string, cell: (row: JudgedChance) => Cell];

const known = ({ score }: JudgedChance) => (score !== null && 'end' in score ? score : null);
const STATE = 'state';

/** The part of a chance that is public immediately. */
const KEY_COLUMNS: readonly Column[] = [
  ['seq', ({ body }) => body.seq],
  ['issued [epoch ms]', ({ body }) => body.issued],
  ['slot [epoch s]', ({ body }) => body.slot],
  ['symbol', ({ body }) => body.sym],
  ['model', ({ body }) => body.model],
  ['version', ({ body }) => body.version],
  ['role', ({ body }) => body.role],
  ['market', ({ body }) => body.market],
  ['window [min]', ({ body }) => body.window],
  ['elapsed [min]', ({ body }) => elapsedMinutes(body.slot, body.window)],
];

/** Headers and their cells; empty for an unknown figure. */
const COLUMNS: readonly Column[] = [
  ...KEY_COLUMNS,
  [STATE, (row) => (row.score === null ? 'waiting' : known(row) === null ? 'void' : 'known')],
  ['void reason', ({ score }) => (score !== null && 'void' in score ? score.void : null)],
  ['open', ({ body }) => body.open],
  ['last close', ({ body }) => body.close],
  ['chance above the open [1e-6]', ({ body }) => body.chance],
  ['chance by the baseline [1e-6]', ({ body }) => body.baseline],
  ['ewma of 1 min [1e-8 ln]', ({ body }) => body.ewma],
  ['window close', (row) => known(row)?.end],
  ['above [0/1]', (row) => (known(row) === null ? null : Number(known(row)?.isAbove))],
  ['brier [1e-8]', (row) => known(row)?.brier.model],
  ['brier of the baseline [1e-8]', (row) => known(row)?.brier.baseline],
  ['log score [1e-8]', (row) => known(row)?.log.model],
  ['log score of the baseline [1e-8]', (row) => known(row)?.log.baseline],
];

/**
 * Rows of the chances issued on a day, a page at a time. A sealed one has only its key and time.
 * @param dayMs  its first millisecond @returns null when the day has no records of any kind
 */
export async function chanceRows(
  database: Database,
  dayMs: number,
  reveal: Reveal,
): Promise<AsyncGenerator<string> | null> {
  const queries = asOwner(database);
  const [from, to] = [await firstFrom(database, dayMs), await firstFrom(database, dayMs + DAY_MS)];
  if (from >= to) return null;
  return (async function* rows() {
    yield line(COLUMNS.map(([head]) => head));
    for (let after = from - 1; ; ) {
      const where = 'r.seq > $1::bigint and r.seq < $2::bigint and r.window_min > 0';
      const page = await readJudgedChances(queries, where, [after, to], String(PAGE));
      if (page.length > 0) yield page.map((row) => rowOf(row, reveal)).join('');
      after = page.at(-1)?.body.seq ?? after;
      if (page.length < PAGE) return;
    }
  })();
}

/** Numbers and our own plain texts, without commas, quotes or formulas. */
function rowOf(row: JudgedChance, reveal: Reveal): string {
  if (isRevealed(row.body, reveal(row.body.market))) return line(COLUMNS.map(([, cell]) => cell(row)));
  const isKey = new Set(KEY_COLUMNS.map(([head]) => head));
  return line(COLUMNS.map(([head, cell]) => (isKey.has(head) ? cell(row) : head === STATE ? 'sealed' : null)));
}

function line(cells: readonly Cell[]): string {
  return `${cells.map((cell) => cell ?? '').join(',')}\r\n`;
}
