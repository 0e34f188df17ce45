/** The learned state of each (market kind, model, symbol, timeframe, version), and the scored records not learned from yet. */
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { type BandState, bandStateSchema } from '#domain/record/bands/adaptive-bands.ts';
import { recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

/** One learner: the bands of one model version for one symbol and timeframe in one kind of market. */
export interface BandKey {
  marketKind: MarketKind;
  model: ModelName;
  sym: string;
  version: string;
  timeframe: Timeframe;
}

export interface BandRecord {
  seq: number;
  /** Epoch seconds of market time. */
  slot: number;
  /** `waiting`: not scored yet. */
  state: 'known' | 'void' | 'waiting';
  inside: Pick<z.infer<typeof insideSchema>, 'shown80' | 'shown95'> | null;
}

export interface BandCorrectionStore {
  /**
   * All states learned by these versions, and by any of longer candles: the first forecast opens such a model, and is to
   * be corrected too.
   */
  states(versions: readonly string[]): Promise<{ key: BandKey; state: BandState }[]>;
  /** For each learner, up to `limit` records after its last one, by seq. Learners without any are left out. */
  records(learners: readonly { key: BandKey; lastSeq: number }[], limit: number): Promise<BandRecordsOf[]>;
  /**
   * Unless another process has stored one since. @param from last_seq of the state before; 0 for the first
   * @returns how many were written
   */
  save(learnt: readonly { key: BandKey; from: number; state: BandState }[]): Promise<number>;
}

export interface BandRecordsOf {
  key: BandKey;
  records: BandRecord[];
}

const insideSchema = recordScoreSchema.shape.inside;
const keyColumns = {
  market_kind: z.enum(MARKET_KINDS),
  model: z.enum(['bobcat', 'panther', 'lion']),
  sym: z.string(),
  model_version: z.string(),
  timeframe: z.enum(TIMEFRAMES),
};
const statesSchema = z.array(z.object({ ...keyColumns, state: bandStateSchema }));
const recordsSchema = z.array(
  z.object({
    place: z.int(),
    seq: z.coerce.number(),
    slot_s: z.coerce.number(),
    state: z.nullable(z.enum(['known', 'void'])),
    inside: z.nullable(insideSchema),
  }),
);

export function bandCorrectionStore(database: Database): BandCorrectionStore {
  const queries = asOwner(database);
  return {
    async states(versions) {
      const rows = await queries.query(
        `select market_kind, model, sym, model_version, timeframe, state from private.band_corrections
          where model_version = any (array(select jsonb_array_elements_text($1::text::jsonb))) or timeframe <> '1min'`,
        [JSON.stringify(versions)],
      );
      return statesSchema.parse(rows).map(({ market_kind, model, sym, model_version, timeframe, state }) => ({
        key: { marketKind: market_kind, model, sym, version: model_version, timeframe },
        state,
      }));
    },
    async records(learners, limit) {
      const wanted = learners.map(({ key, lastSeq }, place) => ({ place, ...columnsOf(key), last_seq: lastSeq }));
      const rows = await queries.query(
        `select w.place, r.seq, r.slot_s, s.state, s.score -> 'inside' as inside
           from jsonb_to_recordset($1::text::jsonb) as w (
                  place int, market_kind text, model text, sym text, model_version text, timeframe text, last_seq bigint)
          cross join lateral (
                  select t.seq, t.slot_s from private.track_records t
                   where t.market_kind = w.market_kind and t.sym = w.sym and t.model = w.model
                     and t.model_version = w.model_version and t.timeframe = w.timeframe and t.role = 'serving' and t.window_min = 0 and t.seq > w.last_seq
                   order by t.seq limit $2::int) r
           left join private.track_scores s on s.seq = r.seq
          order by w.place, r.seq`,
        [JSON.stringify(wanted), limit],
      );
      return [...Map.groupBy(recordsSchema.parse(rows), ({ place }) => place)].flatMap(([place, own]) => {
        const key = learners[place]?.key;
        const records = own.map(({ seq, slot_s, state, inside }) => ({
          seq,
          slot: slot_s,
          inside,
          state: state ?? ('waiting' as const),
        }));
        return key === undefined ? [] : [{ key, records }];
      });
    },
    async save(learnt) {
      if (learnt.length === 0) return 0;
      const rows = learnt.map(({ key, from, state }) => ({
        ...columnsOf(key),
        from_seq: from,
        last_seq: state.lastSeq,
        state,
      }));
      const written = await queries.query(
        `insert into private.band_corrections as b (market_kind, model, sym, model_version, timeframe, state, last_seq)
         select market_kind, model, sym, model_version, timeframe, state, last_seq
           from jsonb_to_recordset($1::text::jsonb) as r (
                  market_kind text, model text, sym text, model_version text, timeframe text, state jsonb, last_seq bigint)
         on conflict (market_kind, model, sym, model_version, timeframe) do update
            set state = excluded.state, last_seq = excluded.last_seq, updated_at = now()
          where b.last_seq = (
                  select w.from_seq from jsonb_to_recordset($1::text::jsonb) as w (
                           market_kind text, model text, sym text, model_version text, timeframe text, from_seq bigint)
                   where (w.market_kind, w.model, w.sym, w.model_version, w.timeframe)
                         = (b.market_kind, b.model, b.sym, b.model_version, b.timeframe))
         returning 1`,
        [JSON.stringify(rows)],
      );
      return written.length;
    },
  };
}

function columnsOf({ marketKind, model, sym, version, timeframe }: BandKey): Record<string, string> {
  return { market_kind: marketKind, model, sym, model_version: version, timeframe };
}
