/** An immediate plan change: its current cost, and its payment. All amounts come from the provider. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { BillingDeps } from '../billing-function.ts';
import type { Stripe } from '../provider/provider-call.ts';
import { idOf, type Synced } from '../subscriptions/subscription-row.ts';
import { releaseSchedule } from './downgrade.ts';
import { applyChange } from './own-subscription.ts';

const QUOTE_MS = 10 * 60_000;

/**
 * The current cost of the upgrade, stored for ten minutes so that the upgrade charges exactly that.
 * @throws AppError `billing/provider-refused` when the provider's currency isn't US dollars
 */
export async function quoteUpgrade(deps: BillingDeps, now: Synced, priceId: string): Promise<Quote> {
  const { subscriptionId, customerId } = now.after;
  const preview = await deps.call('invoice', () =>
    deps.stripe.invoices.createPreview({
      customer: customerId,
      subscription: subscriptionId,
      subscription_details: { items: [{ id: itemOf(now).id, price: priceId }], proration_behavior: 'always_invoice' },
    }),
  );
  const prorationDate = prorationDateOf(preview);
  if (preview.currency !== 'usd' || prorationDate === null) {
    deps.log.error({ currency: preview.currency, prorationDate }, 'a preview could not be read');
    throw new AppError('billing/provider-refused');
  }
  const quote = { subscriptionId, priceId, prorationDate, amountDueCents: preview.amount_due };
  await storeQuote(deps.database, quote, new Date(deps.clock.nowMs() + QUOTE_MS).toISOString());
  return quote;
}

/** @returns the page that completes the payment; null when it is paid and the plan has changed */
export async function upgradeSubscription(deps: BillingDeps, now: Synced, priceId: string): Promise<string | null> {
  const free = await releaseSchedule(deps, now);
  const { subscriptionId } = free.after;
  const item = itemOf(free);
  const nowIso = new Date(deps.clock.nowMs()).toISOString();
  const stored = await quoteOf(deps.database, { subscriptionId, priceId, nowIso });
  const quote = stored !== null && isWithin(item, stored.prorationDate) ? stored : null;
  const after = await applyChange(deps, subscriptionId, {
    change: (attempt) =>
      deps.call('subscription', () =>
        deps.stripe.subscriptions.update(
          subscriptionId,
          {
            items: [{ id: item.id, price: priceId }],
            proration_behavior: 'always_invoice',
            payment_behavior: 'pending_if_incomplete',
            ...(quote === null ? {} : { proration_date: quote.prorationDate }),
          },
          { idempotencyKey: upgradeKey(deps, free, { priceId, prorationDate: quote?.prorationDate ?? null, attempt }) },
        ),
      ),
    isDone: (then) => then.after.priceId === priceId || unpaidPriceOf(then) === priceId,
  });
  if (after.after.priceId !== priceId) return await openInvoiceUrl(deps, after);
  await forgetQuotes(deps.database, subscriptionId, nowIso);
  return null;
}

export function unpaidPriceOf({ subscription }: Synced): string | null {
  return subscription.pending_update?.subscription_items?.[0]?.price.id ?? null;
}

/** The page where the owner pays the open invoice. @throws AppError `billing/provider-refused` without one */
export async function openInvoiceUrl(deps: BillingDeps, now: Synced): Promise<string> {
  const invoice = await openInvoiceOf(deps, now);
  const url = invoice?.hosted_invoice_url ?? null;
  if (url === null) throw new AppError('billing/provider-refused');
  return url;
}

export async function openInvoiceOf(deps: BillingDeps, { subscription }: Synced): Promise<Stripe.Invoice | null> {
  const latest = subscription.latest_invoice;
  if (latest !== null && typeof latest !== 'string' && latest.status === 'open') return latest;
  const { data } = await deps.call('list', () =>
    deps.stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 1 }),
  );
  return data[0] ?? null;
}

function itemOf({ subscription }: Synced): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('A subscription without an item has no price to change.');
  return item;
}

function isWithin(item: Stripe.SubscriptionItem, atS: number): boolean {
  return item.current_period_start <= atS && atS <= item.current_period_end;
}

function prorationDateOf(preview: Stripe.Invoice): number | null {
  const stated = preview.parent?.subscription_details?.subscription_proration_date;
  if (stated !== undefined) return stated;
  const prorated = preview.lines.data.find(
    ({ parent }) =>
      parent?.subscription_item_details?.proration === true || parent?.invoice_item_details?.proration === true,
  );
  return prorated?.period.start ?? null;
}

/**
 * One payment across all processes. Minute and attempt: the provider repeats its own failure for a day to the same key.
 */
function upgradeKey(
  deps: BillingDeps,
  { after, subscription }: Synced,
  { priceId, prorationDate, attempt }: { priceId: string; prorationDate: number | null; attempt: number },
): string {
  const invoice = subscription.latest_invoice === null ? 'none' : idOf(subscription.latest_invoice);
  const minute = Math.floor(deps.clock.nowMs() / 60_000);
  return ['upgrade', after.subscriptionId, priceId, prorationDate ?? 'now', invoice, minute, attempt].join('_');
}

interface Quote {
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
async function storeQuote(database: Database, quote: Quote, expiresAtIso: string): Promise<void> {
  await database.query(
    SERVICE,
    `insert into public.billing_quotes (subscription_id, price_id, proration_date, amount_due, expires_at)
     values ($1::text, $2::text, $3::bigint, $4::integer, $5::text::timestamptz)
     on conflict (subscription_id, price_id) do update set proration_date = excluded.proration_date,
       amount_due = excluded.amount_due, expires_at = excluded.expires_at`,
    [quote.subscriptionId, quote.priceId, quote.prorationDate, quote.amountDueCents, expiresAtIso],
  );
}

async function quoteOf(
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
async function forgetQuotes(database: Database, subscriptionId: string, nowIso: string): Promise<void> {
  await database.query(
    SERVICE,
    'delete from public.billing_quotes where subscription_id = $1::text or expires_at <= $2::text::timestamptz',
    [subscriptionId, nowIso],
  );
}
