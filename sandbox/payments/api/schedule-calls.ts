import * as z from 'zod/mini';
import { endSubscription } from '../engine/subscriptions/cancelling.ts';
import {
  assertActive,
  detachSchedule,
  releaseSchedule,
  scheduleFrom,
  setPhases,
} from '../engine/subscriptions/schedules.ts';
import { announce, named } from '../engine/work.ts';
import { monthsAfter } from '../model/clocks.ts';
import type { Schedule, SchedulePhase } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { scheduleView } from '../views/subscription.ts';
import { type Call, endpoint, mergedMetadata, metadata, text, whole } from './endpoint.ts';

const phase = z.strictObject({
  items: z.array(z.strictObject({ price: text, quantity: z.optional(z.literal('1')) })).check(z.length(1)),
  start_date: z.optional(whole),
  end_date: z.optional(whole),
  duration: z.optional(z.strictObject({ interval: z.literal('month'), interval_count: z.optional(whole) })),
  proration_behavior: z.optional(z.enum(['none', 'create_prorations', 'always_invoice'])),
});

const changes = z.strictObject({
  phases: z.optional(z.array(phase).check(z.minLength(1), z.maxLength(10))),
  end_behavior: z.optional(z.enum(['release', 'cancel'])),
  // Applies to a change of the current phase's price or quantity, as at the provider. `phasesOf` refuses such a change, so
  // there is nothing to prorate. Each phase has its own `proration_behavior` for the transition into it.
  proration_behavior: z.optional(z.enum(['none', 'create_prorations', 'always_invoice'])),
  metadata: z.optional(metadata),
});

const PATH = '/v1/subscription_schedules';

export const scheduleCalls = [
  endpoint('post', PATH, z.strictObject({ from_subscription: text }), ({ draft, params, workFor }) => {
    const reference = { what: 'subscription', param: 'from_subscription' };
    const sub = named(draft, 'subscriptions', params.from_subscription, reference);
    const work = workFor(sub.customer);
    return scheduleView(draft, scheduleFrom(work, sub), work.atS);
  }),
  endpoint('get', `${PATH}/:id`, z.strictObject({}), (call) => viewed(call, namedSchedule(call))),
  endpoint('post', `${PATH}/:id`, changes, (call) => {
    const { draft, params, workFor } = call;
    const before = namedSchedule(call);
    assertActive(before, 'update');
    const schedule = draft.put('schedules', {
      ...before,
      endBehavior: params.end_behavior ?? before.endBehavior,
      metadata: mergedMetadata(before.metadata, params.metadata),
    });
    if (params.phases === undefined) {
      announce(workFor(schedule.customer), 'subscription_schedule.updated', 'schedules', schedule.id);
      return viewed(call, schedule);
    }
    return viewed(call, setPhases(workFor(schedule.customer), schedule, phasesOf(call, schedule, params.phases)));
  }),
  endpoint('post', `${PATH}/:id/release`, z.strictObject({}), (call) => {
    const schedule = namedSchedule(call);
    return viewed(call, releaseSchedule(call.workFor(schedule.customer), schedule));
  }),
  // Ends the subscription immediately, as at the provider.
  endpoint('post', `${PATH}/:id/cancel`, z.strictObject({}), (call) => {
    const schedule = namedSchedule(call);
    const work = call.workFor(schedule.customer);
    assertActive(schedule, 'cancel');
    const canceled = detachSchedule(work, schedule, 'canceled');
    endSubscription(work, schedule.subscription, 'cancellation_requested');
    return viewed(call, canceled);
  }),
];

function namedSchedule({ draft, id }: Call<unknown>): Schedule {
  return named(draft, 'schedules', id, { what: 'subscription schedule' });
}

function viewed({ draft, workFor }: Call<unknown>, schedule: Schedule) {
  return scheduleView(draft, schedule, workFor(schedule.customer).atS);
}

/** A phase starts where the one before it ends; the first keeps its start. @throws PaymentRefusal */
function phasesOf({ draft }: Call<unknown>, schedule: Schedule, requested: z.infer<typeof phase>[]): SchedulePhase[] {
  const phases: SchedulePhase[] = [];
  requested.forEach((one, index) => {
    const param = `phases[${index}]`;
    const [item] = one.items;
    const price = named(draft, 'prices', item?.price ?? '', { what: 'price', param: `${param}[items][0][price]` });
    const startsAt = one.start_date ?? phases.at(-1)?.endsAt ?? schedule.phases[0]?.startsAt ?? 0;
    if ((one.end_date === undefined) === (one.duration === undefined))
      throw invalid('Give either `end_date` or `duration` of a phase.', { param });
    const endsAt =
      one.end_date ??
      endOf(
        draft.get('subscriptions', schedule.subscription)?.anchor ?? startsAt,
        startsAt,
        one.duration?.interval_count ?? 1,
      );
    const isRunning = phases.length === schedule.begun - 1;
    if (isRunning && price.id !== schedule.phases[schedule.begun - 1]?.price)
      throw invalid('The price of the current phase cannot be changed here.', { param: `${param}[items][0][price]` });
    phases.push({
      price: price.id,
      startsAt,
      endsAt,
      prorationBehavior: one.proration_behavior ?? 'create_prorations',
    });
  });
  return phases;
}

/** Counts months from the subscription's anchor, so that a phase ends with a period. */
function endOf(anchorS: number, startsAt: number, months: number): number {
  for (let passed = 0; passed <= 1200; passed += 1)
    if (monthsAfter(anchorS, passed) === startsAt) return monthsAfter(anchorS, passed + months);
  return monthsAfter(startsAt, months);
}
