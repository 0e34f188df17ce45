/** Shared predictions in the database. A token is looked up for each request, so that revoking counts immediately. */
import * as z from 'zod/mini';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { Clock } from '#domain/time/clock.ts';
import { type Database, OWNER } from '../../platform/database/database.ts';
import { groupedCalls } from '../../platform/database/grouped-calls.ts';

/** What decides whether a drawn view of a prediction is still the right one. */
export interface SharedHead {
  predictionId: string;
  /** Null: it has no outcome row. */
  state: 'waiting' | 'known' | 'void' | null;
}

export interface SavedPredictionRow {
  label: string;
  model: string;
  timeframe: Timeframe;
  savedMs: number;
  /** 200 candles and a band, as stored. */
  candles: unknown;
  band: unknown;
  releases: unknown;
  outcome: {
    state: 'waiting' | 'known' | 'void';
    sym: string;
    marketKind: MarketKind;
    voidReason: string | null;
    candles: unknown;
  } | null;
}

export interface ShareStore {
  /** The prediction's token: the given one, or the one that it already has. Null: not this user's prediction. */
  share(userId: string, predictionId: string, token: string): Promise<string | null>;
  /** False when it was not shared, or isn't this user's. */
  revoke(userId: string, predictionId: string): Promise<boolean>;
  /** Null for a token that names nothing: unknown, revoked, of a deleted prediction or of a user banned now. */
  head(token: string): Promise<SharedHead | null>;
  prediction(predictionId: string): Promise<SavedPredictionRow | null>;
}

const tokenRows = z.array(z.object({ token: z.string() }));
const state = z.nullable(z.enum(['waiting', 'known', 'void']));
const headRows = z.array(z.object({ token: z.string(), predictionId: z.string(), state }));
const predictionRows = z.array(
  z.object({
    label: z.string(),
    model: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    savedMs: z.coerce.number(),
    candles: z.unknown(),
    band: z.unknown(),
    releases: z.unknown(),
    state,
    sym: z.nullable(z.string()),
    marketKind: z.nullable(z.enum(MARKET_KINDS)),
    voidReason: z.nullable(z.string()),
    outcomeCandles: z.unknown(),
  }),
);

export function shareStore(database: Database, clock: Clock): ShareStore {
  const query = (text: string, params: readonly unknown[]) => database.query(OWNER, text, params);
  // One statement for all requests of a moment. A call that comes while one runs joins the next: it began after it.
  const heads = groupedCalls<string, SharedHead | null>(async (tokens) => {
    const rows = headRows.parse(
      await database.query(
        OWNER,
        `select s.token, s.prediction_id as "predictionId", o.state
           from public.prediction_shares s
           join auth.users u on u.id = s.user_id and coalesce(u.banned_until <= $2::text::timestamptz, true)
           left join public.prediction_outcomes o on o.prediction_id = s.prediction_id
          where s.token = any ($1::text[])`,
        [[...new Set(tokens)], new Date(clock.nowMs()).toISOString()],
        { isPrepared: true },
      ),
    );
    const byToken = new Map(rows.map(({ token, ...head }) => [token, head]));
    return tokens.map((token) => byToken.get(token) ?? null);
  }, MAX_GROUP);
  return {
    async share(userId, predictionId, token) {
      await query(
        `insert into public.prediction_shares (prediction_id, user_id, token)
         select p.id, p.user_id, $3::text from public.user_predictions p
          where p.id = $2::text::uuid and p.user_id = $1::text::uuid
         on conflict (prediction_id) do nothing`,
        [userId, predictionId, token],
      );
      const rows = await query(
        `select s.token from public.prediction_shares s
          where s.prediction_id = $2::text::uuid and s.user_id = $1::text::uuid`,
        [userId, predictionId],
      );
      return tokenRows.parse(rows)[0]?.token ?? null;
    },
    async revoke(userId, predictionId) {
      const rows = await query(
        `delete from public.prediction_shares
          where prediction_id = $2::text::uuid and user_id = $1::text::uuid returning 1 as one`,
        [userId, predictionId],
      );
      return rows.length === 1;
    },
    head: (token) => heads(token),
    async prediction(predictionId) {
      const [row] = predictionRows.parse(
        await query(
          `select p.cryptocurrency as label, p.model, p.timeframe, extract(epoch from p.created_at) * 1000 as "savedMs",
                  p.data as candles, p.band, p.releases, o.state, o.sym, o.market_kind as "marketKind",
                  o.void_reason as "voidReason", o.candles as "outcomeCandles"
             from public.user_predictions p
             left join public.prediction_outcomes o on o.prediction_id = p.id
            where p.id = $1::text::uuid`,
          [predictionId],
        ),
      );
      if (row === undefined) return null;
      const { state: outcomeState, sym, marketKind, voidReason, outcomeCandles, ...own } = row;
      const isJudged = outcomeState !== null && sym !== null && marketKind !== null;
      const outcome = isJudged ? { state: outcomeState, sym, marketKind, voidReason, candles: outcomeCandles } : null;
      return { ...own, savedMs: Math.floor(own.savedMs), outcome };
    },
  };
}

/** Requests for one page name the same token. */
const MAX_GROUP = { maxItems: 1000 };
