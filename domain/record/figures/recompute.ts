/**
 * Recomputes the figures of the public record from its raw rows alone (days/DAY.ndjson): each score from the record and
 * the outcome, then the figures from the scores, of forecasts and of chances. Published as one file,
 * /record/recompute.mjs.
 */

import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import type { MarketKind } from '../../market/symbols.ts';
import { TIMEFRAMES } from '../../market/timeframes.ts';
import { type ChanceParts, chanceCounts, chanceParts } from '../chances/chance-figures.ts';
import { RECORDED_WINDOWS, type RecordedWindow } from '../chances/chance-moments.ts';
import { isScoreOf, judgedChanceScoreSchema, scoreChance } from '../chances/chance-score.ts';
import { chanceBlocks, type JudgedChance } from '../chances/chance-sums.ts';
import { isChance, readAnyRecord } from '../ledger/any-record.ts';
import { type LongerTimeframe, type RecordBody, timeframeField } from '../ledger/ledger.ts';
import { recordLineSchema } from '../ledger/record-files.ts';
import { type BaselineTable, baselineTableSchema } from '../scoring/baseline-table.ts';
import { RECORD_VOID_REASONS, recordScoreSchema } from '../scoring/record-score.ts';
import { scoreFromActual } from '../scoring/score-record.ts';
import type { JudgedScore } from './block-sums.ts';
import { blockOf, type JudgedRecord, type TrackBlock, trackBlocks } from './track-blocks.ts';
import { type TrackParts, trackCounts, trackParts } from './track-figures.ts';

export interface RecomputeOptions {
  /** Texts of /record/baselines/VERSION.json: a score can be recomputed only with the table that its record names. */
  baselines?: readonly string[];
  /** Bounds on the slots, epoch seconds: blocks of six hours from `fromS` on and before `toS`. Default: all. */
  fromS?: number;
  toS?: number;
}

export interface Recomputed extends TrackParts, ReturnType<typeof trackCounts> {
  market: MarketKind;
  /** Length of a candle; absent: one minute. */
  tf?: LongerTimeframe;
}

export interface RecomputedChances extends ChanceParts, ReturnType<typeof chanceCounts> {
  market: MarketKind;
  /** Minutes of the clock window. */
  window: RecordedWindow;
}

export interface RecomputeResult {
  markets: Recomputed[];
  chances: RecomputedChances[];
  scores: {
    /** Recomputed scores that match the published ones. */
    same: number;
    /** Numbers of records whose published score differs from ours; the first hundred. */
    different: number[];
    differentCount: number;
    /** Records whose table was not given. */
    unchecked: number;
  };
  /** Lines with a record that was given before. */
  repeated: number;
  /** Records whose texts were not revealed when the file was fetched: they are left out of all figures. */
  sealed: number;
  unreadable: number;
}

const scoreSchema = z.nullable(z.union([recordScoreSchema, z.strictObject({ void: z.enum(RECORD_VOID_REASONS) })]));
const MAX_REPORTED = 100;

/** @param files  texts of days/DAY.ndjson, in any order; processed one after the other */
export async function recompute(files: Iterable<string>, options: RecomputeOptions = {}): Promise<RecomputeResult> {
  const { fromS = Number.NEGATIVE_INFINITY, toS = Number.POSITIVE_INFINITY } = options;
  const tables = new Map<string, BaselineTable>();
  for (const text of options.baselines ?? []) {
    const table = baselineTableSchema.parse(JSON.parse(text));
    tables.set(table.version, table);
  }
  const scores: RecomputeResult['scores'] = { same: 0, different: [], differentCount: 0, unchecked: 0 };
  const result: RecomputeResult = { markets: [], chances: [], scores, repeated: 0, sealed: 0, unreadable: 0 };
  const seen = new Set<number>();
  const chances: JudgedChance[] = [];

  function* records(): Generator<JudgedRecord> {
    for (const text of files) {
      for (const line of linesOf(text)) {
        const judged = readLine(line);
        if (judged === 'head') continue;
        if (judged === 'sealed') {
          result.sealed += 1;
          continue;
        }
        if (judged === null) {
          result.unreadable += 1;
          continue;
        }
        if (seen.has(judged.body.seq)) {
          result.repeated += 1;
          continue;
        }
        seen.add(judged.body.seq);
        const blockS = blockOf(judged.body.slot);
        if (blockS < fromS || blockS >= toS) continue;
        if ('chance' in judged) chances.push(checkedChance(judged.chance, scores));
        else yield { body: judged.body, score: checked(judged.body, judged.score, tables, scores) };
      }
    }
  }

  const blocks = trackBlocks(records());
  for (const market of new Set(blocks.map((block) => block.market))) {
    for (const timeframe of TIMEFRAMES) {
      const own = blocks.filter((block) => block.market === market && block.timeframe === timeframe).sort(inOrder);
      if (own.length > 0)
        result.markets.push({
          market,
          ...timeframeField(timeframe),
          ...trackCounts(own),
          ...(await trackParts(own)),
        });
    }
  }
  result.chances = await chancesOf(chances);
  return result;
}

async function chancesOf(judged: readonly JudgedChance[]): Promise<RecomputedChances[]> {
  const serving = chanceBlocks(judged).filter(({ role }) => role === 'serving');
  const found: RecomputedChances[] = [];
  for (const market of new Set(serving.map((block) => block.market))) {
    for (const window of RECORDED_WINDOWS) {
      const own = serving.filter((block) => block.market === market && block.window === window);
      if (own.length > 0) found.push({ market, window, ...chanceCounts(own), ...(await chanceParts(own)) });
    }
  }
  return found;
}

/** The recomputed score; it needs no table. */
function checkedChance({ body, score }: JudgedChance, scores: RecomputeResult['scores']): JudgedChance {
  if (score === null || 'void' in score) return { body, score };
  if (isScoreOf(body, score)) scores.same += 1;
  else differs(body.seq, scores);
  return { body, score: scoreChance(body, score.end) };
}

function differs(seq: number, scores: RecomputeResult['scores']): void {
  scores.differentCount += 1;
  if (scores.different.length < MAX_REPORTED) scores.different.push(seq);
}

/** In the server's order, so that the same lists result. */
function inOrder(a: TrackBlock, b: TrackBlock): number {
  return a.blockS - b.blockS || a.lastSeq - b.lastSeq;
}

/** The recomputed score, or the published one when it cannot be recomputed. */
function checked(
  body: RecordBody,
  score: JudgedScore,
  tables: ReadonlyMap<string, BaselineTable>,
  scores: RecomputeResult['scores'],
): JudgedScore {
  if (score === null || 'void' in score) return score;
  const table = tables.get(body.baseline);
  if (table === undefined) {
    scores.unchecked += 1;
    return score;
  }
  const own = { ...score, ...scoreFromActual(body, score.actual, table) };
  if (isSame(own, score)) scores.same += 1;
  else differs(body.seq, scores);
  return own;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(recordScoreSchema.parse(a)) === JSON.stringify(recordScoreSchema.parse(b));
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to > from) yield text.slice(from, to);
    from = to + 1;
  }
}

type LineRead = JudgedRecord | { body: JudgedChance['body']; chance: JudgedChance };

function readLine(line: string): LineRead | 'head' | 'sealed' | null {
  const json = parsedJson(line);
  const read = recordLineSchema.safeParse(json);
  // The first line of a file is the day's statement.
  if (!read.success) return typeof json === 'object' && json !== null && 'statement' in json ? 'head' : null;
  if ('sealed' in read.data) return 'sealed';
  const body = readAnyRecord(read.data.record);
  if (body !== null && isChance(body)) {
    const judged = judgedChanceScoreSchema.safeParse(read.data.score ?? null);
    return judged.success ? { body, chance: { body, score: judged.data } } : null;
  }
  const score = scoreSchema.safeParse(read.data.score ?? null);
  return body === null || !score.success ? null : { body, score: score.data };
}
