/** Written only by the sync. A write with an older ticket than the row's does nothing. */
import * as z from 'zod/mini';
import { type Database, type Queries, SERVICE } from '../../platform/database/database.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import {
  type StoredCard,
  type StoredSubscription,
  storedSubscription,
  type WrittenSubscription,
} from './subscription-row.ts';

const FIELDS = `s.subscription_id as "subscriptionId", s.customer_id as "customerId", s.price_id as "priceId", s.status,
  s.current_period_start as "currentPeriodStart", s.current_period_end as "currentPeriodEnd",
  s.cancel_at_period_end as "cancelAtPeriodEnd", s.cancel_at as "cancelAt", s.ended_at as "endedAt",
  s.pending_subscription_id as "pendingSubscriptionId", s.pending_price_id as "pendingPriceId",
  s.latest_invoice_id as "latestInvoiceId"`;

const idRow = z.object({ id: z.string() });

export interface SubscriptionStore {
  read(subscriptionId: string): Promise<StoredSubscription | null>;
  customerOf(subscriptionId: string): Promise<string | null>;
  ofCustomer(customerId: string): Promise<StoredSubscription[]>;
  /** @returns the row before and after; `isNewest` is false if a later ticket had already written */
  write(
    row: WrittenSubscription,
    ticket: number,
  ): Promise<{ before: StoredSubscription | null; after: StoredSubscription; isNewest: boolean }>;
  /** Ends a subscription that the provider doesn't know any more. @returns false if it had already ended */
  end(subscriptionId: string, endedAtS: number, ticket: number): Promise<boolean>;
  /** The plan that a price sells; null if unknown. */
  planOf(priceId: string): Promise<string | null>;
  /** Records that its owner's notices are complete up to this ticket. */
  markNoticed(subscriptionId: string, ticket: number): Promise<void>;
  /** Subscriptions whose owners still lack a notice a minute after the change. */
  unnoticed(limit: number): Promise<string[]>;
  /** Live ones whose period should have renewed, then those not synced for a day; the longest waiting first. */
  stale(limit: number): Promise<string[]>;
}

export function subscriptionStore(database: Database, mode: PaymentsSource['mode']): SubscriptionStore {
  const query = <T extends z.ZodMiniType>(schema: T, text: string, params: readonly unknown[]) =>
    database.query(SERVICE, text, params).then((rows) => z.array(schema).parse(rows));
  const ids = async (text: string, params: readonly unknown[]) =>
    (await query(idRow, text, params)).map(({ id }) => id);

  return {
    async read(subscriptionId) {
      const text = `select ${FIELDS} from public.stripe_subscriptions s where s.subscription_id = $1`;
      return (await query(storedSubscription, text, [subscriptionId]))[0] ?? null;
    },
    async customerOf(subscriptionId) {
      const text = 'select customer_id as id from public.stripe_subscriptions where subscription_id = $1';
      return (await ids(text, [subscriptionId]))[0] ?? null;
    },
    ofCustomer: (customerId) =>
      query(
        storedSubscription,
        `select ${FIELDS} from public.stripe_subscriptions s where s.customer_id = $1 order by s.stripe_created`,
        [customerId],
      ),
    write: (row, ticket) =>
      database.transaction(SERVICE, async (tx) => {
        const before = await lockRow(tx, row.subscriptionId);
        const [written] = z.array(storedSubscription).parse(await tx.query(WRITE, writeParams(row, ticket)));
        const after = written ?? (await lockRow(tx, row.subscriptionId));
        if (after === null) throw new Error('A subscription row was deleted while it was being written.');
        return { before, after, isNewest: written !== undefined };
      }),
    async end(subscriptionId, endedAtS, ticket) {
      const ended = await ids(
        `update public.stripe_subscriptions
            set status = 'canceled', ended_at = coalesce(ended_at, $2), synced_seq = $3, updated_at = private.clock_now(),
                current_period_end = least(current_period_end, $2), cancel_at_period_end = false,
                pending_subscription_id = null, pending_price_id = null
          where subscription_id = $1 and synced_seq < $3 and status not in ('canceled', 'incomplete_expired')
          returning subscription_id as id`,
        [subscriptionId, endedAtS, ticket],
      );
      return ended.length > 0;
    },
    async planOf(priceId) {
      return (await ids('select plan as id from public.billing_prices where price_id = $1', [priceId]))[0] ?? null;
    },
    async markNoticed(subscriptionId, ticket) {
      await database.query(
        SERVICE,
        'update public.stripe_subscriptions set noticed_seq = $2 where subscription_id = $1 and noticed_seq < $2',
        [subscriptionId, ticket],
      );
    },
    unnoticed: (limit) =>
      ids(
        `select s.subscription_id as id
           from public.stripe_subscriptions s
           join public.stripe_customers c on c.customer_id = s.customer_id and c.mode = $1
          where s.noticed_seq < s.synced_seq and s.updated_at < private.clock_now() - interval '1 minute'
          order by s.updated_at limit $2`,
        [mode, limit],
      ),
    stale: (limit) =>
      ids(
        // Past its end, one is synced less and less often: after a tenth of the time it is overdue.
        `select s.subscription_id as id
           from public.stripe_subscriptions s
           join public.stripe_customers c on c.customer_id = s.customer_id and c.mode = $1
           cross join lateral (select extract(epoch from private.clock_now()) - s.current_period_end as over_s) t
          where s.status not in ('canceled', 'incomplete_expired')
            and (s.updated_at < private.clock_now() - interval '24 hours'
                 or t.over_s > 300 and s.updated_at < private.clock_now() - make_interval(secs => greatest(45, t.over_s / 10)))
          order by coalesce(t.over_s > 300, false) desc, s.updated_at limit $2`,
        [mode, limit],
      ),
  };
}

async function lockRow(tx: Queries, subscriptionId: string): Promise<StoredSubscription | null> {
  const text = `select ${FIELDS} from public.stripe_subscriptions s where s.subscription_id = $1 for update`;
  return z.array(storedSubscription).parse(await tx.query(text, [subscriptionId]))[0] ?? null;
}

const WRITE = `insert into public.stripe_subscriptions as s (
    subscription_id, customer_id, price_id, status, current_period_start, current_period_end, cancel_at_period_end,
    cancel_at, ended_at, pending_subscription_id, pending_price_id, latest_invoice_id, payment_method_brand,
    payment_method_last4, stripe_created, synced_seq, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, private.clock_now())
  on conflict (subscription_id) do update set
    customer_id = excluded.customer_id, price_id = excluded.price_id, status = excluded.status,
    current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end, cancel_at = excluded.cancel_at, ended_at = excluded.ended_at,
    pending_subscription_id = excluded.pending_subscription_id, pending_price_id = excluded.pending_price_id,
    latest_invoice_id = excluded.latest_invoice_id, payment_method_brand = excluded.payment_method_brand,
    payment_method_last4 = excluded.payment_method_last4, stripe_created = excluded.stripe_created,
    synced_seq = excluded.synced_seq, updated_at = excluded.updated_at
  where s.synced_seq < excluded.synced_seq
  returning ${FIELDS}`;

function writeParams(row: WrittenSubscription, ticket: number): unknown[] {
  return [
    row.subscriptionId,
    row.customerId,
    row.priceId,
    row.status,
    row.currentPeriodStart,
    row.currentPeriodEnd,
    row.cancelAtPeriodEnd,
    row.cancelAt,
    row.endedAt,
    row.pendingSubscriptionId,
    row.pendingPriceId,
    row.latestInvoiceId,
    row.paymentMethodBrand,
    row.paymentMethodLast4,
    row.stripeCreated,
    ticket,
  ];
}

/** A customer's cards as the provider shows them: brand, last four digits, expiry. */
export interface CardStore {
  /** Stores the full list and deletes cards not in it. Does nothing if a later ticket has already written. */
  replace(owner: { userId: string; customerId: string }, cards: readonly StoredCard[], ticket: number): Promise<void>;
  /** The customer whose card it is here; null if unknown. */
  customerOf(paymentMethodId: string): Promise<string | null>;
}

export function cardStore(database: Database): CardStore {
  return {
    replace: ({ userId, customerId }, cards, ticket) =>
      database.transaction(SERVICE, async (tx) => {
        const mine = await tx.query(
          `update public.stripe_customers set cards_seq = $3
            where user_id = $1 and customer_id = $2 and cards_seq < $3 returning user_id`,
          [userId, customerId, ticket],
        );
        if (mine.length === 0) return;
        await tx.query(
          'delete from public.payment_methods where user_id = $1 and not (payment_method_id = any ($2::text[]))',
          [userId, cards.map(({ paymentMethodId }) => paymentMethodId)],
        );
        const rows = cards.map((card) => ({
          payment_method_id: card.paymentMethodId,
          brand: card.brand,
          last4: card.last4,
          exp_month: card.expMonth,
          exp_year: card.expYear,
          is_default: card.isDefault,
          created_s: card.createdS,
        }));
        await tx.query(
          `insert into public.payment_methods
             (payment_method_id, user_id, brand, last4, exp_month, exp_year, is_default, created_at)
           select r.payment_method_id, $1, r.brand, r.last4, r.exp_month, r.exp_year, r.is_default, to_timestamp(r.created_s)
             from jsonb_to_recordset($2::jsonb) as r (payment_method_id text, brand text, last4 text, exp_month smallint,
                                                      exp_year smallint, is_default boolean, created_s float8)
           on conflict (payment_method_id) do update set
             user_id = excluded.user_id, brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month,
             exp_year = excluded.exp_year, is_default = excluded.is_default`,
          [userId, JSON.stringify(rows)],
        );
      }),
    async customerOf(paymentMethodId) {
      const rows = await database.query<{ id: string | null }>(
        SERVICE,
        `select c.customer_id as id from public.payment_methods p
           join public.stripe_customers c on c.user_id = p.user_id where p.payment_method_id = $1`,
        [paymentMethodId],
      );
      return rows[0]?.id ?? null;
    },
  };
}
