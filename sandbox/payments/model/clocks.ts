/** A customer's time is its own test clock, or the machine's clock with an offset. */
import type { Customer, TestClock } from './records.ts';
import { invalid } from './refusal.ts';
import { type Draft, type PaymentState, settingsOf } from './state-store.ts';

export function siteNow(store: PaymentState, machineS: number): number {
  return machineS + settingsOf(store).offsetS;
}

export function customerNow(store: PaymentState, customer: Customer | null, machineS: number): number {
  const clock = customer?.testClock ? store.get('testClocks', customer.testClock) : null;
  return clock?.frozenTime ?? siteNow(store, machineS);
}

/** As at the provider: at most two intervals at a time. */
const MAX_ADVANCE_S = 62 * 86_400;

/** Moves only the clock; the caller then performs the work that is due. @throws PaymentRefusal */
export function moveClock(draft: Draft, clock: TestClock, frozenTime: number): TestClock {
  if (frozenTime <= clock.frozenTime)
    throw invalid('The new time must be after the present time of the clock.', { param: 'frozen_time' });
  if (frozenTime - clock.frozenTime > MAX_ADVANCE_S)
    throw invalid('A clock can be advanced by at most two intervals per call.', { param: 'frozen_time' });
  return draft.put('testClocks', { ...clock, frozenTime });
}

/** The time `months` after the anchor, with its day limited to the month's length; always computed from the anchor. */
export function monthsAfter(anchorS: number, months: number): number {
  const anchor = new Date(anchorS * 1000);
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = anchor.getTime() % 86_400_000;
  return Math.floor((Date.UTC(year, month, Math.min(anchor.getUTCDate(), daysInMonth)) + time) / 1000);
}
