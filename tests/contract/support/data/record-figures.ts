/** The record's figures as a test sees them: generated records, their scores, the stores, and the routes without a server. */
import type { Hono } from 'hono';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import type { JudgedRecord, trackBlocks } from '#domain/record/figures/track-blocks.ts';
import type { RecordScore, RecordVoidReason } from '#domain/record/scoring/record-score.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { asOwner, type Database } from '../../../../server/platform/database/database.ts';
import { errorResponse } from '../../../../server/platform/http/calls/http-errors.ts';
import type { CountDownload } from '../../../../server/record/download-limit.ts';
import type { BlockStore } from '../../../../server/record/figures/block-store.ts';
import { figureRoutes } from '../../../../server/record/figures/figure-routes.ts';
import { figureStores, makeFigures } from '../../../../server/record/figures/record-figures.ts';
import type { SummaryStore } from '../../../../server/record/figures/summary-store.ts';
import { openReveal } from '../../../../server/record/reveal.ts';
import { aBaselineTable, type GeneratedRecords, outcomeOf } from '../../../../server/record/testing/record-fixtures.ts';
import { testLog } from '../../../support/database/database.ts';

/** A Monday, and the beginning of a block. */
export const START_S = Date.parse('2025-11-10T00:00:00Z') / 1000;
export const DAY_SLOTS = 288;
export const SMALL = { firstSlotS: START_S, syms: ['BTCUSDT.P', 'ETHUSDT.P'], models: ['bobcat', 'lion'] } as const;
/** Records of one slot of SMALL. */
export const SMALL_A_SLOT = SMALL.syms.length * SMALL.models.length;

export type Outcome = RecordScore | { void: RecordVoidReason };
type Blocks = ReturnType<typeof trackBlocks>;

export interface FigureWorld {
  database: Database;
  blocks: BlockStore;
  summaries: SummaryStore;
  /** Both clocks; two days after the first slot at first. */
  nowMs: number;
  /** The job, once. */
  round(): Promise<unknown>;
  /** The live market's blocks. */
  stored(): Promise<ReturnType<typeof plain>>;
  app(countDownload?: CountDownload): Hono;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

export function openFigures(database: Database): FigureWorld {
  const clock = { nowMs: () => world.nowMs };
  const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'live' });
  const { blocks, summaries, releases } = figureStores(database, reveal);
  const world: FigureWorld = {
    database,
    blocks,
    summaries,
    nowMs: (START_S + 2 * 86_400) * 1000,
    round: () =>
      makeFigures(
        { blocks, summaries, releases },
        { clock, marketClock: clock, kindOf: () => 'live', log: testLog },
        new AbortController().signal,
      ),
    stored: async () => plain(await blocks.blocks('live', '1min', 0)),
    app(countDownload = async () => {}) {
      const deps = { database, clock, log: testLog, marketKind: 'live' as const, siteDir: '/nowhere' };
      const routes = figureRoutes({ ...deps, countDownload, reveal });
      routes.onError((error) => errorResponse(error));
      return routes;
    },
    get: async (path, headers = {}) => await world.app().request(`http://localhost${path}`, { headers }),
  };
  return world;
}

const table = aBaselineTable();

/** Of each record; every seventeenth cannot be judged. */
export function scoresOf(records: GeneratedRecords): Outcome[] {
  return records.bodies.map(
    (body, i): Outcome =>
      i % 17 === 3 ? { void: 'candles-missing' } : scoreRecord(body, outcomeOf(records, body), table),
  );
}

export async function insertScores(
  database: Database,
  records: GeneratedRecords,
  scores: readonly Outcome[],
  seqs: (seq: number) => boolean,
) {
  const rows = records.bodies.flatMap(({ seq }, i): Record<string, unknown>[] => {
    const score = scores[i];
    if (!seqs(seq) || score === undefined) return [];
    return 'void' in score ? [{ seq, state: 'void', reason: score.void }] : [{ seq, state: 'known', score }];
  });
  await asOwner(database).query(
    `insert into private.track_scores (seq, state, void_reason, score)
     select seq, state, reason, score from jsonb_to_recordset($1::text::jsonb) as r (seq bigint, state text, reason text, score jsonb)`,
    [JSON.stringify(rows)],
  );
}

export function judged(records: GeneratedRecords, scores: readonly Outcome[]): JudgedRecord[] {
  return records.bodies.map((body, i) => ({ body, score: scores[i] ?? null }));
}

/** In the order that the database gives them. */
export function plain(blocks: Blocks) {
  const key = ({ blockS, sym, model }: (typeof blocks)[number]) => `${blockS / BLOCK_S} ${sym} ${model}`;
  return blocks
    .map((block) => ({ ...block, sums: [...block.sums] }))
    .sort((a, b) =>
      key({ ...a, sums: new Float64Array() }).localeCompare(key({ ...b, sums: new Float64Array() }), 'en'),
    );
}
