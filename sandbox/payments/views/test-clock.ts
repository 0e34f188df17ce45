import type Stripe from 'stripe';
import type { TestClock } from '../model/records.ts';

const MONTH_S = 30 * 86_400;

/** @param isAdvancing  true in the answer to an advance; in later answers the clock is ready */
export function testClockView(clock: TestClock, isAdvancing = false): Stripe.TestHelpers.TestClock {
  return {
    id: clock.id,
    object: 'test_helpers.test_clock',
    created: clock.created,
    deletes_after: clock.created + MONTH_S,
    frozen_time: clock.frozenTime,
    livemode: false,
    name: clock.name,
    status: isAdvancing ? 'advancing' : 'ready',
    status_details: isAdvancing ? { advancing: { target_frozen_time: clock.frozenTime } } : {},
  };
}
