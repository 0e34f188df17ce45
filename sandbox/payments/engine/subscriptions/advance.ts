/** Performs all work due by now, in order; each customer has its own time. */
import type { CheckoutSession, Invoice, Schedule, Subscription } from '../../model/records.ts';
import { expireSession } from '../payments/checkout.ts';
import { isEnded } from '../subscription-status.ts';
import type { Work } from '../work.ts';
import { endSubscription, expireIncomplete } from './cancelling.ts';
import { closeDraft, endPeriod, tryRenewalPayment } from './renewing.ts';
import { expireResumption } from './resuming.ts';
import { detachSchedule, enterPhase, releaseSchedule } from './schedules.ts';
import { expirePendingUpdate } from './upgrading.ts';

interface Due {
  atS: number;
  run(work: Work): void;
}

/** Far more than the busiest customer has in the longest advance. */
const MAX_STEPS = 10_000;

/** @param nowOf  by the id of the customer. @throws Error when the work never ends: a bug of the sandbox */
export function advance(work: Work, nowOf: (customerId: string) => number): void {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = earliest(work, nowOf);
    if (next === null) return;
    next.run({ ...work, atS: next.atS, idempotencyKey: null });
  }
  throw new Error('Advancing the clock did not finish.');
}

function earliest({ draft }: Work, nowOf: (customerId: string) => number): Due | null {
  let first: Due | null = null;
  const consider = <T extends { customer: string }>(rows: readonly T[], duesOf: (row: T) => Due[]) => {
    for (const row of rows)
      for (const due of duesOf(row))
        if (due.atS < (first?.atS ?? Number.POSITIVE_INFINITY) && due.atS <= nowOf(row.customer)) first = due;
  };
  // Order for equal times: a phase before the period that it prices, payments before a new period.
  consider(draft.list('schedules'), dueOfSchedule);
  consider(draft.list('invoices'), dueOfInvoice);
  consider(draft.list('subscriptions'), dueOfSubscription);
  consider(draft.list('sessions'), dueOfSession);
  return first;
}

function dueOfSession(session: CheckoutSession): Due[] {
  return session.status === 'open'
    ? [{ atS: session.expiresAt, run: (work) => void expireSession(work, session) }]
    : [];
}

function dueOfInvoice(invoice: Invoice): Due[] {
  const { finalizesAt, nextAttemptAt } = invoice;
  if (invoice.status === 'draft' && finalizesAt !== null)
    return [{ atS: finalizesAt, run: (work) => closeDraft(work, invoice) }];
  if (invoice.status === 'open' && nextAttemptAt !== null)
    return [{ atS: nextAttemptAt, run: (work) => tryRenewalPayment(work, invoice.id) }];
  return [];
}

function dueOfSubscription(sub: Subscription): Due[] {
  if (isEnded(sub)) return [];
  const end = (work: Work) => void endSubscription(work, sub.id, 'cancellation_requested');
  const dues: Due[] = [];
  const { pendingUpdate, cancelAt, incompleteUntil, resumption } = sub;
  if (incompleteUntil !== null) dues.push({ atS: incompleteUntil, run: (work) => expireIncomplete(work, sub) });
  if (resumption !== null) dues.push({ atS: resumption.expiresAt, run: (work) => expireResumption(work, sub) });
  if (pendingUpdate !== null)
    dues.push({ atS: pendingUpdate.expiresAt, run: (work) => expirePendingUpdate(work, sub) });
  if (cancelAt !== null) dues.push({ atS: cancelAt, run: end });
  // A paused subscription does not renew.
  if (sub.status !== 'paused') dues.push({ atS: sub.periodEnd, run: (work) => endPeriod(work, sub) });
  return dues;
}

function dueOfSchedule(schedule: Schedule): Due[] {
  const last = schedule.phases.at(-1);
  if (schedule.status !== 'active' || last === undefined) return [];
  const next = schedule.phases[schedule.begun];
  if (next !== undefined) return [{ atS: next.startsAt, run: (work) => enterPhase(work, schedule, next) }];
  return [{ atS: last.endsAt, run: (work) => endSchedule(work, schedule) }];
}

function endSchedule(work: Work, schedule: Schedule): void {
  if (schedule.endBehavior === 'release') releaseSchedule(work, schedule);
  else {
    detachSchedule(work, schedule, 'completed');
    endSubscription(work, schedule.subscription, 'cancellation_requested');
  }
}
