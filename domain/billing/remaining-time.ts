import { counted } from '../format/count.ts';
import { GRACE_S } from './subscription.ts';
import type { SubscriptionState } from './subscription-state.ts';

export interface RemainingTime {
  label: 'Renews in' | 'Expires in';
  /** '23 days', '1 hour', '5 minutes'. */
  text: string;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Counts to the end of the grace period. @returns null without a subscription in effect or a known end */
export function remainingTime(state: SubscriptionState, nowS: number): RemainingTime | null {
  const { periodEndS } = state;
  if (periodEndS === null || !(state.isLive || state.isActive)) return null;
  const leftS = periodEndS + GRACE_S - nowS;
  if (leftS <= 0) return null;
  const isEnding = state.isCanceling || !state.isLive;
  return { label: isEnding ? 'Expires in' : 'Renews in', text: formatRemaining(leftS) };
}

function formatRemaining(leftS: number): string {
  if (leftS >= DAY_S) return counted(Math.floor(leftS / DAY_S), 'day');
  if (leftS >= HOUR_S) return counted(Math.floor(leftS / HOUR_S), 'hour');
  return counted(Math.max(1, Math.floor(leftS / MINUTE_S)), 'minute');
}
