/** A user's state at the provider, summarised from the provider's own data. */
import type Stripe from 'stripe';
import type { BillingWorld } from '../worlds/billing-world.ts';

export interface ProviderState {
  /** Not ended and first payment made; of several, the one that will remain. Null: no such subscription. */
  live: Live | null;
  liveCount: number;
  customerId: string | null;
}

export interface Live {
  id: string;
  status: Stripe.Subscription.Status;
  priceId: string;
  isEnding: boolean;
  /** The price that a schedule sets at the period's end. */
  pendingPriceId: string | null;
  endS: number;
  /** An upgrade waits for its payment. */
  hasPendingUpdate: boolean;
}

const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);

export async function providerStateOf(
  { stripe }: Pick<BillingWorld, 'stripe'>,
  userId: string,
): Promise<ProviderState> {
  const [customer] = (await stripe.customers.search({ query: `metadata['user_id']:'${userId}'` })).data;
  if (customer === undefined) return { live: null, liveCount: 0, customerId: null };
  const expand = ['data.schedule'];
  const all = await stripe.subscriptions.list({ customer: customer.id, status: 'all', limit: 100, expand });
  const live = all.data.filter(({ status }) => LIVE.has(status));
  return {
    live: live.map(toLive).toSorted((a, b) => a.id.localeCompare(b.id))[0] ?? null,
    liveCount: live.length,
    customerId: customer.id,
  };
}

function toLive(sub: Stripe.Subscription): Live {
  const item = sub.items.data[0];
  if (item === undefined) throw new Error('A subscription without an item.');
  const schedule = typeof sub.schedule === 'object' ? sub.schedule : null;
  const boundaryS = schedule?.current_phase?.end_date ?? Number.POSITIVE_INFINITY;
  const later = schedule?.phases.find(({ start_date }) => start_date >= boundaryS)?.items[0]?.price ?? null;
  const pending = typeof later === 'object' ? (later?.id ?? null) : later;
  return {
    id: sub.id,
    status: sub.status,
    priceId: item.price.id,
    isEnding: sub.cancel_at_period_end || sub.cancel_at !== null,
    pendingPriceId: pending === item.price.id ? null : pending,
    endS: item.current_period_end,
    hasPendingUpdate: sub.pending_update !== null,
  };
}
