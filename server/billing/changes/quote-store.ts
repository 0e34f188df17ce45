/** Stores the amount that a preview showed, so that the upgrade charges the same. */
import * as z from 'zod/mini';
import { type Database, SERVICE } from '../../platform/database/database.ts';

export interface Quote {
  subscriptionId: string;
  priceId: string;
  /** Epoch seconds, as the provider returned it. */
  prorationDate: number;
  amountDueCents: number;
}

const quoteSchema = z.object({
  subscriptionId: z.string(),
  priceId: z.string(),
  prorationDate: z.number(),
  amountDueCents: z.number(),
});

/** Replaces an older quote for the same change. */
export async function keepQuote(database: Database, quote: Quote, expiresAtIso: string): Promise<void> {
  await database.query(
    SERVICE,
    `insert into public.billing_quotes (subscription_id, price_id, proration_date, amount_due, expires_at)
     values ($1::text, $2::text, $3::bigint, $4::integer, $5::text::timestamptz)
     on conflict (subscription_id, price_id) do update set proration_date = excluded.proration_date,
       amount_due = excluded.amount_due, expires_at = excluded.expires_at`,
    [quote.subscriptionId, quote.priceId, quote.prorationDate, quote.amountDueCents, expiresAtIso],
  );
}

/** Null when there is no quote or it has expired. */
export async function quoteOf(
  database: Database,
  wanted: { subscriptionId: string; priceId: string; nowIso: string },
): Promise<Quote | null> {
  const rows = await database.query(
    SERVICE,
    `select subscription_id as "subscriptionId", price_id as "priceId", proration_date as "prorationDate",
       amount_due as "amountDueCents"
     from public.billing_quotes
     where subscription_id = $1::text and price_id = $2::text and expires_at > $3::text::timestamptz`,
    [wanted.subscriptionId, wanted.priceId, wanted.nowIso],
  );
  return rows[0] === undefined ? null : quoteSchema.parse(rows[0]);
}

/** Called once the change is made; also deletes expired quotes. */
export async function forgetQuotes(database: Database, subscriptionId: string, nowIso: string): Promise<void> {
  await database.query(
    SERVICE,
    'delete from public.billing_quotes where subscription_id = $1::text or expires_at <= $2::text::timestamptz',
    [subscriptionId, nowIso],
  );
}
