/**
 * Recovers missed work: events never received or failed, checkouts never closed, customers never fully created. Runs
 * once a minute, in one server process at a time; one failure doesn't block the rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '#domain/errors/app-error.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { closeSession, closeSlot, overdueCheckouts } from '../checkout/checkout-store.ts';
import type { Customers } from '../checkout/customers.ts';
import { checkPrices, type PriceCheckDeps } from '../price-check.ts';
import { isMissing } from '../provider/provider-call.ts';
import { idOf } from '../subscriptions/subscription-row.ts';
import { type EventDeps, handleEvent, readEvent } from './handle-event.ts';
import type { MissedEvents } from './missed-events.ts';

export interface SweepDeps extends EventDeps {
  ensureCustomer: Customers['ensure'];
  priceIds: PriceCheckDeps['priceIds'];
  /** This process's instance, which remembers how far it has read. */
  missed: MissedEvents;
}

const PERIOD_MS = 60_000;
/** The most items of each kind in one round. */
const BATCH = 50;
/** Allows more than 100,000 a day; each subscription is checked once a day. */
const STALE_BATCH = 200;
const LIMIT_MS = 5 * 60_000;
/** A session lasts half an hour at the provider. */
const CHECKOUT_S = 31 * 60;
const CLAIM_S = 5 * 60;
const DAY_MS = 86_400_000;
/** Keeps the rate far below the provider's limit per second. */
const PAUSE_MS = 50;

export function startSweeper(deps: SweepDeps): Job {
  const { database, log, clock } = deps;
  let pricesCheckedMs = Number.NEGATIVE_INFINITY;
  return startJob({
    name: 'billing-sweep',
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    store: jobStore(database),
    log,
    async run(signal) {
      await sweep(deps, signal);
      if (clock.nowMs() - pricesCheckedMs < DAY_MS) return undefined;
      try {
        await checkPrices(deps);
        pricesCheckedMs = clock.nowMs();
      } catch (error) {
        // The call has logged the reason; the next round retries.
        if (!isAppError(error)) throw error;
      }
      return undefined;
    },
  });
}

/** Runs one round. Ends early, between two items, when `signal` aborts. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { subscriptions, sync, events, customers, database, clock } = deps;
  const nowIso = new Date(clock.nowMs()).toISOString();
  await each([deps.missed], (missed) => missed.takeUp(signal));
  await each(await events.open(BATCH), (id) => eventAgain(deps, id));
  await each(await subscriptions.unnoticed(BATCH), (id) => sync.one(id));
  const overdue = await overdueCheckouts(database, { olderThanS: CHECKOUT_S, count: BATCH, nowIso });
  await each(overdue, (slot) => endCheckout(deps, slot, nowIso));
  await each(await customers.openClaims(CLAIM_S, BATCH), (userId) => deps.ensureCustomer(userId));
  await events.forgetOld();
  // Runs last: there are always stale rows to sync, and they must not delay the rest.
  await each(await subscriptions.stale(STALE_BATCH), (id) => sync.one(id));

  async function each<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
    for (const one of all) {
      if (signal.aborted) return;
      try {
        await work(one);
      } catch (error) {
        if (isAppError(error))
          deps.log.warn({ code: error.code }, 'part of the billing sweep is postponed to the next one');
        else deps.log.error({ err: error }, 'part of the billing sweep failed');
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** Fetches the event from the provider, which retains it for a month; its contents are not stored here. */
async function eventAgain(deps: SweepDeps, eventId: string): Promise<void> {
  const { stripe, call, events } = deps;
  try {
    const event = await call('event', () => stripe.events.retrieve(eventId));
    await handleEvent(readEvent(event), deps);
  } catch (error) {
    if (isMissing(error)) return events.done(eventId);
    throw error;
  }
}

async function endCheckout(
  { stripe, call, database, sync }: SweepDeps,
  { id, sessionId }: { id: string; sessionId: string | null },
  nowIso: string,
): Promise<void> {
  if (sessionId === null) return closeSlot(database, { id, state: 'expired', nowIso });
  try {
    const { status, subscription } = await call('checkout.session', () => stripe.checkout.sessions.retrieve(sessionId));
    if (status === 'open') return;
    if (subscription !== null) await sync.one(idOf(subscription));
    await closeSession(database, { sessionId, state: status === 'complete' ? 'complete' : 'expired', nowIso });
  } catch (error) {
    if (!isMissing(error)) throw error;
    await closeSlot(database, { id, state: 'expired', nowIso });
  }
}
