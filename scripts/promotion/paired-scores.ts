import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';

export interface Pairing {
  model: ModelName;
  marketKind: MarketKind;
  shadowVersion: string;
  servingVersion: string;
  /** Epoch seconds of market time; earlier slots are left out. */
  fromS: number;
}

/** Sums of one side over the slots of one block and symbol, by scored bar, without band corrections. */
export interface SideSums {
  crps: number[];
  in80: number[];
  in95: number[];
}

export interface PairedBlock {
  /** Epoch seconds of the block's start. */
  blockS: number;
  sym: string;
  /** Slots with scores for both. */
  slots: number;
  shadow: SideSums;
  serving: SideSums;
}

const perBar = z.array(z.number()).check(z.length(SCORED_BARS.length));
const sums = z.object({ crps: perBar, in80: perBar, in95: perBar });
const rowsSchema = z.array(
  z.object({ block_s: z.coerce.number(), sym: z.string(), slots: z.int(), shadow: sums, serving: sums }),
);

/** Scores without band corrections: the record's corrections were applied to only one of the two. */
export async function pairedScores(database: Database, pairing: Pairing): Promise<PairedBlock[]> {
  const { model, marketKind, shadowVersion, servingVersion, fromS } = pairing;
  const rows = await asOwner(database).query(
    `select s.slot_s / ${BLOCK_S} * ${BLOCK_S} as block_s, s.sym, count(*)::int as slots,
            ${sideSums('ss')} as shadow, ${sideSums('ws')} as serving
       from private.track_records s
       join private.track_scores ss on ss.seq = s.seq and ss.state = 'known'
       join private.track_records w on w.market_kind = s.market_kind and w.slot_s = s.slot_s and w.sym = s.sym
                                   and w.timeframe = s.timeframe and w.model = s.model and w.role = 'serving' and w.model_version = $4::text
       join private.track_scores ws on ws.seq = w.seq and ws.state = 'known'
      where s.role = 'shadow' and s.model = $1::text and s.market_kind = $2::text and s.model_version = $3::text
        and s.slot_s >= $5::bigint
      group by 1, 2 order by 1, 2`,
    [model, marketKind, shadowVersion, servingVersion, fromS],
  );
  return rowsSchema.parse(rows).map(({ block_s, ...row }) => ({ blockS: block_s, ...row }));
}

function sideSums(score: string): string {
  const bars = (sum: (path: string) => string, name: string): string =>
    `jsonb_build_array(${SCORED_BARS.map((_, i) => sum(`${score}.score #>> '{${name},${i}}'`)).join(', ')})`;
  const total = (path: string): string => `sum((${path})::float8)`;
  const held = (path: string): string => `count(*) filter (where ${path} = 'true')`;
  const parts = [
    `'crps', ${bars(total, 'crps,model')}`,
    `'in80', ${bars(held, 'inside,model80')}`,
    `'in95', ${bars(held, 'inside,model95')}`,
  ];
  return `jsonb_build_object(${parts.join(', ')})`;
}
