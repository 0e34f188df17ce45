/** Reads the caller's own subscription from the provider, and confirms each change by reading it again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { BillingDeps, Synced } from '../billing-deps.ts';
import { providerFacts } from '../provider/provider-call.ts';
import { customerOfOwn, subscriptionRowOf } from '../subscriptions/subscriber-store.ts';
import { isLive } from '../subscriptions/subscription-row.ts';
import { isOver } from './plan-change.ts';

/**
 * The provider's current state; also updates our row.
 *
 * @throws AppError `billing/no-such-subscription` for another user's, without a call to the provider;
 * `billing/subscription-replaced` for one that is over while another runs
 */
export async function ownSubscription(
  deps: BillingDeps,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
): Promise<Synced> {
  const customerId = await customerOfOwn(deps.database, { userId, subscriptionId, mode: deps.mode });
  if (customerId === null) throw new AppError('billing/no-such-subscription');
  const synced = await deps.sync.one(subscriptionId);
  if (synced === null || synced.after.customerId !== customerId) throw new AppError('billing/no-such-subscription');
  if (isOver(synced.after.status)) await assertNoneRuns(deps, customerId);
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
 * Makes a change at the provider, then reads the result. A lost response doesn't count as a failure, nor does a refusal
 * of something another request has done meanwhile.
 *
 * @param change  gets the attempt's number, from 0, for its key
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
    const now = await nowOf(deps, subscriptionId).catch((error: unknown) => {
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
export async function withRow(
  deps: BillingDeps,
  userId: string,
): Promise<{ subscription: Record<string, unknown> | null }> {
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

async function nowOf(deps: BillingDeps, subscriptionId: string): Promise<Synced> {
  const synced = await deps.sync.one(subscriptionId);
  if (synced === null) throw new AppError('billing/no-such-subscription');
  return synced;
}
