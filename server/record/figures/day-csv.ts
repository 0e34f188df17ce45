/** A day of the record as CSV: one row per record of a timeframe and scored bar, written while it is read. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { barMinutesOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { JudgedScore } from '#domain/record/figures/block-sums.ts';
import type { JudgedRecord } from '#domain/record/figures/track-blocks.ts';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { shownUpper } from '#domain/record/scoring/score-record.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import type { Reveal } from '../reveal.ts';

const PLACE_80 = UPPER_LEVELS.indexOf(0.9);
const PLACE_95 = UPPER_LEVELS.indexOf(0.975);

type Cell = string | number | null;
interface Row {
  body: RecordBody;
  score: JudgedScore;
  /** Index of the scored bar. */
  at: number;
  upper: readonly (readonly number[])[];
}

const known = ({ score }: Row) => (score !== null && 'actual' in score ? score : null);
const flag = (value: boolean | undefined): Cell => (value === undefined ? null : Number(value));

/** Placeholders in a head: a bar's length, and that of fifty. */
const BAR = '<bar>';
const HORIZON = '<horizon>';
const BAR_HEAD = `bar [${BAR}]`;
type Column = readonly [head: string, cell: (row: Row) => Cell | undefined];

/** The part of a record that is public immediately. */
const KEY_COLUMNS: readonly Column[] = [
  ['seq', ({ body }) => body.seq],
  ['issued [epoch ms]', ({ body }) => body.issued],
  ['slot [epoch s]', ({ body }) => body.slot],
  ['symbol', ({ body }) => body.sym],
  ['model', ({ body }) => body.model],
  ['version', ({ body }) => body.version],
  ['role', ({ body }) => body.role],
  ['market', ({ body }) => body.market],
];

/** Headers and their cells; empty for an unknown figure. Logarithms are natural, of a price over the last close. */
const COLUMNS: readonly Column[] = [
  ...KEY_COLUMNS,
  ['last close', ({ body }) => body.close],
  [BAR_HEAD, ({ at }) => SCORED_BARS[at]],
  ['state', (row) => (row.score === null ? 'waiting' : known(row) === null ? 'void' : 'known')],
  ['void reason', ({ score }) => (score !== null && 'void' in score ? score.void : null)],
  ['path [1e-6 ln]', ({ body, at }) => body.path[at]],
  ['half 80 % band shown [1e-6 ln]', ({ upper, at }) => upper[at]?.[PLACE_80]],
  ['half 95 % band shown [1e-6 ln]', ({ upper, at }) => upper[at]?.[PLACE_95]],
  ['half 80 % band of the model [1e-6 ln]', ({ body, at }) => body.upper[at]?.[PLACE_80]],
  ['half 95 % band of the model [1e-6 ln]', ({ body, at }) => body.upper[at]?.[PLACE_95]],
  ['actual [1e-6 ln]', (row) => known(row)?.actual[row.at]],
  ['crps shown [1e-8 ln]', (row) => known(row)?.crps.shown[row.at]],
  ['crps model [1e-8 ln]', (row) => known(row)?.crps.model[row.at]],
  ['crps ewma [1e-8 ln]', (row) => known(row)?.crps.ewma[row.at]],
  ['crps har [1e-8 ln]', (row) => known(row)?.crps.har[row.at]],
  ['inside shown 80 [0/1]', (row) => flag(known(row)?.inside.shown80[row.at])],
  ['inside shown 95 [0/1]', (row) => flag(known(row)?.inside.shown95[row.at])],
  ['inside model 80 [0/1]', (row) => flag(known(row)?.inside.model80[row.at])],
  ['inside model 95 [0/1]', (row) => flag(known(row)?.inside.model95[row.at])],
  ['pit [1e-4]', (row) => known(row)?.pit[row.at]],
  ['path is last close [0/1]', (row) => flag(known(row)?.isCopy[row.at])],
  [`rv of ${HORIZON} forecast [1e-6 ln]`, ({ body }) => body.rv],
  [`rv of ${HORIZON} [1e-6 ln]`, (row) => known(row)?.rv],
  [`range of ${HORIZON} forecast [1e-6 ln]`, ({ body }) => body.range],
  [`range of ${HORIZON} [1e-6 ln]`, (row) => known(row)?.range],
  [`ewma of ${BAR} [1e-8 ln]`, ({ body }) => body.ewma],
  ['har of the bar [1e-8 ln]', ({ body, at }) => body.har[at]],
  ['baseline', ({ body }) => body.baseline],
];

export function csvHead(timeframe: Timeframe): string {
  const minutes = barMinutesOf(timeframe);
  const heads = COLUMNS.map(([head]) =>
    head === BAR_HEAD && minutes === 1
      ? 'bar [min]'
      : head.replace(BAR, `${minutes} min`).replace(HORIZON, `${HORIZON_BARS * minutes} min`),
  );
  return `${heads.join(',')}\r\n`;
}

/** Numbers and our own plain texts, without commas, quotes or formulas. A sealed record has only its key and time. */
function csvRows({ body, score }: JudgedRecord, reveal: Reveal): string {
  if (!isRevealed(body, reveal(body.market))) return sealedRows(body);
  const upper = shownUpper(body);
  return SCORED_BARS.map(
    (_, at) => `${COLUMNS.map(([, cell]) => cell({ body, score, at, upper }) ?? '').join(',')}\r\n`,
  ).join('');
}

function sealedRows(body: RecordBody): string {
  const keys = new Map(KEY_COLUMNS.map(([head, cell]) => [head, cell({ body, score: null, at: 0, upper: [] })]));
  return SCORED_BARS.map((bar) => {
    const cells = new Map(keys).set(BAR_HEAD, bar).set('state', 'sealed');
    return `${COLUMNS.map(([head]) => cells.get(head) ?? '').join(',')}\r\n`;
  }).join('');
}

/** @param onBreak  gets the error that stopped the stream; the reader then sees no proper end */
export function csvStream(
  pages: AsyncGenerator<JudgedRecord[]>,
  timeframe: Timeframe,
  reveal: Reveal,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return textStream(csvPieces(pages, timeframe, reveal), onBreak);
}

/** @param pages  of the timeframe alone */
export async function* csvPieces(
  pages: AsyncGenerator<JudgedRecord[]>,
  timeframe: Timeframe,
  reveal: Reveal,
): AsyncGenerator<string> {
  yield csvHead(timeframe);
  for await (const page of pages) yield page.map((judged) => csvRows(judged, reveal)).join('');
}
