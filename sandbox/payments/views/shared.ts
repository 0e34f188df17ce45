/** Small objects that other answers hold, and events, whose object has its state at that time. */
import type Stripe from 'stripe';
import type { StoredEvent, TestClock } from '../model/records.ts';

export const API_VERSION = '2026-10-28.endive';

export function eventView({ id, created, type, object, previous, idempotencyKey }: StoredEvent) {
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: previous === null ? { object } : { object, previous_attributes: previous },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: idempotencyKey },
    type,
  };
}

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

export function wholeList<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}
