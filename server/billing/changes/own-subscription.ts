/** The caller's own subscription, read from the provider first, and its change, told from the provider's real state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { BillingDeps, Synced } from '../billing-deps.ts';
import { providerFacts } from '../provider/provider-call.ts';
import { customerOfOwn, subscriptionRowOf } from '../subscriptions/subscriber-store.ts';
import { isLive } from '../subscriptions/subscription-row.ts';
import { isOver } from './plan-change.ts';

/**
 * As the provider has it now; the row is brought up to date on the way.
 *
 * @throws AppError `billing/no-such-subscription` for one of somebody else, without asking the provider;
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

/** Bought again on the provider's page, maybe, and not come back from there: nobody is sent to buy a third time. */
async function assertNoneRuns(deps: BillingDeps, customerId: string): Promise<void> {
  // The page shows it from now on.
  const all = await deps.sync.ofCustomer(customerId);
  if (all.some(({ after }) => isLive(after.status))) throw new AppError('billing/subscription-replaced');
}

/** A call with the same key is being worked on. */
const UNDER_WAY = 409;
/** And above: the provider has answered that it failed, so nothing is under way any more. */
const OWN_FAILURE = 500;
/** Twice: a failure of the provider's own is repeated to whoever asks again with the same key, so it is asked anew. */
const ATTEMPTS = 2;
/** How often, and how long each time, the same change is waited for that another process is making. */
const WAITS = 5;
const WAIT_MS = 1000;

/**
 * Makes a change at the provider and looks what came of it. An answer that was lost on the way is no failure, and
 * neither is a refusal of what another request has done meanwhile.
 *
 * @param change  told which attempt it is, from 0, for its key
 * @throws AppError what the provider said, when it is not done
 */
export async function changed(
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

/** For the answer: the row as the client reads it. */
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
