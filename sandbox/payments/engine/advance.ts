/** What time does by itself: everything of a customer that falls due by a moment, in order. */
import type { Invoice, Schedule, Session, Subscription } from '../model/records.ts';
import { endSubscription } from './cancelling.ts';
import { expireSession } from './checkout.ts';
import { closeDraft, renew, tryRenewalPayment } from './renewing.ts';
import { enterPhase, releaseSchedule } from './schedules.ts';
import { expirePendingUpdate } from './upgrading.ts';
import type { Work } from './work.ts';

interface Due {
  atS: number;
  run(work: Work): void;
}

/** Far more than the busiest customer has in the longest advance. */
const MAX_STEPS = 10_000;

/** @param work  its moment is where time stops. @throws Error when the end is never reached: a fault of the stand-in */
export function advance(work: Work, customerId: string): void {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = earliest(work, customerId);
    if (next === null) return;
    next.run({ ...work, atS: next.atS, idempotencyKey: null });
  }
  throw new Error('Time does not come to an end.');
}

function earliest({ draft, atS }: Work, customerId: string): Due | null {
  const own = <T extends { customer: string }>(row: T) => row.customer === customerId;
  const all = [
    // At the same moment: a phase before the period that it prices, payments before a new period.
    ...draft.list('schedules').filter(own).flatMap(dueOfSchedule),
    ...draft.list('invoices').filter(own).flatMap(dueOfInvoice),
    ...draft.list('subscriptions').filter(own).flatMap(dueOfSubscription),
    ...draft.list('sessions').filter(own).flatMap(dueOfSession),
  ];
  return all.reduce<Due | null>((first, due) => {
    if (due.atS > atS) return first;
    return first === null || due.atS < first.atS ? due : first;
  }, null);
}

function dueOfSession(session: Session): Due[] {
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
  if (sub.status === 'canceled') return [];
  const end = (work: Work) => void endSubscription(work, sub.id, 'cancellation_requested');
  const dues: Due[] = [];
  const { pendingUpdate, cancelAt } = sub;
  if (pendingUpdate !== null)
    dues.push({ atS: pendingUpdate.expiresAt, run: (work) => expirePendingUpdate(work, sub) });
  if (cancelAt !== null) dues.push({ atS: cancelAt, run: end });
  dues.push({ atS: sub.periodEnd, run: (work) => renew(work, sub) });
  return dues;
}

function dueOfSchedule(schedule: Schedule): Due[] {
  const last = schedule.phases.at(-1);
  if (schedule.status !== 'active' || last === undefined) return [];
  const next = schedule.phases[schedule.begun];
  if (next !== undefined) return [{ atS: next.startsAt, run: (work) => enterPhase(work, schedule, next) }];
  return [{ atS: last.endsAt, run: (work) => void releaseSchedule(work, schedule) }];
}
