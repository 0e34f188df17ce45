/** 2025-08-01T00:00:00Z. It has passed, so the countdown shows that it is over (R-DASHBOARD-7). */
import { counted } from '../format/count.ts';
export const COUNTDOWN_TARGET_MS = Date.UTC(2025, 7, 1);

export interface Countdown {
  /** Whole units; hours below 24, minutes and seconds below 60. All zero once it is done. */
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
  isDone: boolean;
}

/** A started second counts as left, so that all is zero at the target and not before. */
export function countdownAt(nowMs: number, targetMs: number = COUNTDOWN_TARGET_MS): Countdown {
  const left = Math.max(0, Math.ceil((targetMs - nowMs) / 1000));
  const minutes = Math.floor(left / 60);
  const hours = Math.floor(minutes / 60);
  return {
    days: Math.floor(hours / 24),
    hours: hours % 24,
    minutes: minutes % 60,
    seconds: left % 60,
    isDone: nowMs >= targetMs,
  };
}

/** '3 days, 1 hour and 12 minutes': for screen readers, without seconds, which pass before they are read out. */
export function spokenCountdown({ days, hours, minutes }: Countdown): string {
  const parts = [counted(days, 'day'), counted(hours, 'hour'), counted(minutes, 'minute')];
  return `${parts.slice(0, 2).join(', ')} and ${parts[2]}`;
}
