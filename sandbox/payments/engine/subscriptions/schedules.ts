/** Schedules: a subscription's future prices. Attached until the last phase ends, then released. */
import { monthsAfter } from '../../model/clocks.ts';
import type { Schedule, SchedulePhase, Subscription } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { isEnded } from '../subscription-status.ts';
import { announce, stored, type Work } from '../work.ts';

/** One phase: the present period at the present price. @throws PaymentRefusal if a schedule or the status forbids it */
export function scheduleFrom(work: Work, sub: Subscription): Schedule {
  const { draft, atS } = work;
  if (sub.schedule !== null)
    throw invalid(`The subscription \`${sub.id}\` is already attached to a schedule: \`${sub.schedule}\`.`, {
      param: 'from_subscription',
    });
  if (isEnded(sub))
    throw invalid('A canceled subscription cannot be migrated to a schedule.', { param: 'from_subscription' });
  if (sub.status === 'incomplete' || sub.status === 'paused')
    throw invalid(`A subscription in the \`${sub.status}\` status cannot be migrated to a schedule.`, {
      param: 'from_subscription',
    });
  const schedule = draft.put('schedules', {
    id: draft.newId('sub_sched'),
    created: atS,
    customer: sub.customer,
    subscription: sub.id,
    status: 'active',
    endBehavior: 'release',
    phases: [
      { price: sub.price, startsAt: sub.periodStart, endsAt: sub.periodEnd, prorationBehavior: 'create_prorations' },
    ],
    begun: 1,
    metadata: {},
    completedAt: null,
    releasedAt: null,
    canceledAt: null,
  });
  // The schedule overrides a planned cancellation.
  const cleared = { cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null, endReason: null };
  draft.put('subscriptions', { ...sub, ...cleared, schedule: schedule.id });
  announce(work, 'subscription_schedule.created', 'schedules', schedule.id);
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
  return schedule;
}

/**
 * @throws PaymentRefusal unless the phases are contiguous and the running one keeps its start, and for a phase that would
 * have to be prorated: only a phase that starts with a period changes the price without proration
 */
export function setPhases(work: Work, schedule: Schedule, phases: readonly SchedulePhase[]): Schedule {
  assertActive(schedule, 'update');
  const running = schedule.phases[schedule.begun - 1];
  const place = phases.findIndex(({ startsAt }) => startsAt === running?.startsAt);
  if (place === -1)
    throw invalid('The current phase must be among the phases, with its start date.', { param: 'phases' });
  phases.forEach((phase, index) => {
    const before = phases[index - 1];
    if (phase.endsAt <= phase.startsAt || (before !== undefined && before.endsAt !== phase.startsAt))
      throw invalid('Each phase must start when the one before it ends.', { param: `phases[${index}][start_date]` });
  });
  const sub = stored(work.draft, 'subscriptions', schedule.subscription);
  phases.slice(place + 1).forEach(({ startsAt, prorationBehavior }, index) => {
    if (prorationBehavior !== 'none' && !isPeriodStart(sub, startsAt))
      throw invalid('The sandbox does not prorate a phase that starts within a period: its behavior must be `none`.', {
        param: `phases[${place + 1 + index}][proration_behavior]`,
      });
  });
  const updated = work.draft.put('schedules', { ...schedule, phases, begun: place + 1 });
  announce(work, 'subscription_schedule.updated', 'schedules', schedule.id);
  return updated;
}

/** True for the end of the present period and of each one after it. */
function isPeriodStart(sub: Subscription, atS: number): boolean {
  let endS = sub.periodEnd;
  for (let number = sub.periodNumber + 1; endS < atS; number += 1) endS = monthsAfter(sub.anchor, number);
  return endS === atS;
}

/** The subscription continues at its present price. @throws PaymentRefusal unless it is active */
export function releaseSchedule(work: Work, schedule: Schedule): Schedule {
  assertActive(schedule, 'release');
  const released = detachSchedule(work, schedule, 'released');
  announce(work, 'customer.subscription.updated', 'subscriptions', schedule.subscription);
  return released;
}

export function assertActive(schedule: Schedule, verb: string): void {
  if (schedule.status !== 'active')
    throw invalid(
      `You cannot ${verb} a subscription schedule that is currently in the \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
    );
}

/** Detaches only the schedule; the caller decides what happens to the subscription. */
export function detachSchedule(
  work: Work,
  schedule: Schedule,
  end: 'released' | 'completed' | 'canceled' | 'aborted',
): Schedule {
  const { draft, atS } = work;
  const detached = draft.put('schedules', { ...schedule, ...endOf(end, atS) });
  draft.put('subscriptions', { ...stored(draft, 'subscriptions', schedule.subscription), schedule: null });
  announce(work, `subscription_schedule.${end}`, 'schedules', schedule.id);
  return detached;
}

/** Starts a phase: its price applies from now on, without proration. */
export function enterPhase(work: Work, schedule: Schedule, phase: SchedulePhase): void {
  const { draft } = work;
  const sub = stored(draft, 'subscriptions', schedule.subscription);
  draft.put('schedules', { ...schedule, begun: schedule.begun + 1 });
  draft.put('subscriptions', { ...sub, price: phase.price });
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
}

function endOf(end: 'released' | 'completed' | 'canceled' | 'aborted', atS: number): Partial<Schedule> {
  if (end === 'released') return { status: 'released', releasedAt: atS };
  if (end === 'completed') return { status: 'completed', completedAt: atS };
  return { status: 'canceled', canceledAt: atS };
}
