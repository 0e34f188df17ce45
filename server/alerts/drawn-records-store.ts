/** The house's forecasts of a slot, and the users with a rule for disagreements. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Queries } from '../platform/database/database.ts';

const drawnSchema = z.array(
  z.object({ model: z.enum(MODEL_NAMES), slotS: z.coerce.number(), drawn: z.coerce.number() }),
);
export type DrawnRecord = z.infer<typeof drawnSchema>[number];

/** The given symbols that any rule names. */
export async function ruledSyms(queries: Queries, syms: readonly string[]): Promise<string[]> {
  const rows = await queries.query(
    `select s.sym from unnest($1::text[]) as s (sym)
      where exists (select from public.alert_rules r where r.sym = s.sym and r.kind = 'models-disagree')`,
    [syms],
  );
  return z
    .array(z.object({ sym: z.string() }))
    .parse(rows)
    .map(({ sym }) => sym);
}

/** One-minute forecasts shown at some slots: drawn move at bar 50, in a record's units, each model's newest record last. */
export async function servedRecords(
  queries: Queries,
  { sym, marketKind, slots }: { sym: string; marketKind: MarketKind; slots: readonly number[] },
): Promise<DrawnRecord[]> {
  const rows = await queries.query(
    // The fifth scored bar is bar 50.
    `select r.model, r.slot_s as "slotS", r.body::json -> 'path' ->> 4 as drawn from private.track_records r
      where r.market_kind = $1::text and r.slot_s = any ($2::bigint[]) and r.sym = $3::text and r.role = 'serving'
        and r.timeframe = '1min' and r.window_min = 0
      order by r.seq`,
    [marketKind, slots, sym],
  );
  return drawnSchema.parse(rows);
}

/** Rules of a symbol created before a time, ordered by id, with whether their user has already been notified. */
export async function waitingFor(
  queries: Queries,
  { sym, subject, createdBeforeIso, afterId, limit }: WaitingQuery,
): Promise<WaitingRule[]> {
  const rows = await queries.query(
    // Selected first, through the index. Otherwise each hundred would scan all waiting rules.
    `with waiting as materialized (
       select r.id, r.user_id from public.alert_rules r
        where r.sym = $1::text and r.kind = 'models-disagree' and r.created_at <= $2::text::timestamptz and ($3::text is null or r.id > $3::text::uuid)
        order by r.id limit $5::int)
     select w.id::text as id, w.user_id::text as "userId", exists (select from public.alerts a
              where a.user_id = w.user_id and a.kind = 'models-disagree' and a.subject = $4::text) as "isNotified"
       from waiting w order by w.id`,
    [sym, createdBeforeIso, afterId, subject, limit],
  );
  return z.array(waitingSchema).parse(rows);
}

const waitingSchema = z.object({ id: z.string(), userId: z.string(), isNotified: z.boolean() });
export type WaitingRule = z.infer<typeof waitingSchema>;

export interface WaitingQuery {
  sym: string;
  subject: string;
  createdBeforeIso: string;
  afterId: string | null;
  limit: number;
}
