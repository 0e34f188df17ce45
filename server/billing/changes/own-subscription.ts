import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { BillingDeps } from '../billing-function.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';
import { providerFacts } from '../provider/provider-call.ts';
import { isLive, type Synced } from '../subscriptions/subscription-row.ts';
import { hasEnded } from './plan-change.ts';

/**
 * The provider's current state; also updates our row. @throws AppError `billing/no-such-subscription` for another
 * user's, without a call to the provider; `billing/subscription-replaced` for one that is over while another runs
 */
export async function ownSubscription(
  deps: BillingDeps,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
): Promise<Synced> {
  const customerId = await customerOfOwn(deps.database, { userId, subscriptionId, mode: deps.mode });
  if (customerId === null) throw new AppError('billing/no-such-subscription');
  const synced = await deps.sync.one(subscriptionId);
  if (synced === null || synced.after.customerId !== customerId) throw new AppError('billing/no-such-subscription');
  if (hasEnded(synced.after.status)) await assertNoneRuns(deps, customerId);
  return synced;
}

/** The customer may have bought again on the provider's page without returning: prevents a third purchase. */
async function assertNoneRuns(deps: BillingDeps, customerId: string): Promise<void> {
  // This updates our rows, so the page shows the new subscription from now on.
  const all = await deps.sync.ofCustomer(customerId);
  if (all.some(({ after }) => isLive(after.status))) throw new AppError('billing/subscription-replaced');
}

/** A call with the same key is still running. */
const UNDER_WAY = 409;
/** From this status up, the provider reports its own failure, so nothing is running any more. */
const OWN_FAILURE = 500;
/** Two, because the provider repeats its own failure to every call with the same key, so a retry needs a new key. */
const ATTEMPTS = 2;
/** How often, and how long each time, to wait while another process makes the same change. */
const WAITS = 5;
const WAIT_MS = 1000;

/**
 * Then reads the result. A lost response doesn't count as a failure, nor a refusal of what another request has done.
 * @param change gets the attempt's number, from 0, for its key
 * @throws AppError the provider's error, if the change was not made
 */
export async function applyChange(
  deps: BillingDeps,
  subscriptionId: string,
  { change, isDone }: { change: (attempt: number) => Promise<unknown>; isDone: (now: Synced) => boolean },
): Promise<Synced> {
  let attempt = 0;
  let waits = 0;
  for (;;) {
    const failure = await failureOf(() => change(attempt));
    const now = await syncedNow(deps, subscriptionId).catch((error: unknown) => {
      throw failure ?? error;
    });
    if (isDone(now)) return now;
    const status = providerFacts(failure)?.statusCode ?? 0;
    if (status === UNDER_WAY && waits < WAITS) {
      waits += 1;
      await sleep(WAIT_MS);
    } else if (status >= OWN_FAILURE && attempt < ATTEMPTS - 1) attempt += 1;
    else throw failure ?? new AppError('billing/provider-refused');
  }
}

/** The row as the client reads it, for the response. */
export async function withRow(deps: BillingDeps, userId: string): Promise<{ subscription: SubscriptionRecord | null }> {
  return { subscription: await subscriptionRowOf(deps.database, userId) };
}

async function failureOf(change: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

/** The provider's current state. @throws AppError `billing/no-such-subscription` */
export async function syncedNow(deps: BillingDeps, subscriptionId: string): Promise<Synced> {
  const synced = await deps.sync.one(subscriptionId);
  if (synced === null) throw new AppError('billing/no-such-subscription');
  return synced;
}

/** The customer of the caller's own subscription; null if it is another user's, of another mode, or unknown. */
async function customerOfOwn(
  database: Database,
  wanted: { userId: string; subscriptionId: string; mode: PaymentsSource['mode'] },
): Promise<string | null> {
  const rows = await database.query<{ customerId: string }>(
    SERVICE,
    `select c.customer_id as "customerId"
     from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
     where c.user_id = $1::text::uuid and s.subscription_id = $2::text and c.mode = $3::text`,
    [wanted.userId, wanted.subscriptionId, wanted.mode],
  );
  return rows[0]?.customerId ?? null;
}

/** The user's row of stripe_user_subscriptions, all columns; null without a customer. */
export async function subscriptionRowOf(database: Database, userId: string): Promise<SubscriptionRecord | null> {
  const rows = await database.query<SubscriptionRecord>(
    SERVICE,
    'select * from public.stripe_user_subscriptions where user_id = $1::text::uuid',
    [userId],
  );
  return rows[0] ?? null;
}

const planSchema = z.object({ plan: z.enum(PLAN_NAMES) });

/** By the database's own rule, which also decides access. */
export async function planNow(database: Database, userId: string): Promise<PlanName> {
  const rows = await database.query(SERVICE, 'select private.plan_of($1::text::uuid) as plan', [userId]);
  return planSchema.parse(rows[0]).plan;
}
