/** The moment that the dashboard counts down to, and what is left until then. */

/** 2025-08-01T00:00:00Z. Specification 1, section 9. It is over: what counts down to it says so. */
export const COUNTDOWN_TARGET_MS = Date.UTC(2025, 7, 1);

export interface Countdown {
  /** Whole ones; hours below 24, minutes and seconds below 60. All zero once it is done. */
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
  isDone: boolean;
}

/** A second that has begun counts as left, so that all is zero at the target and not before. */
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

/** '3 days, 1 hour and 12 minutes': for ears, without the seconds, which are over before they are said. */
export function spokenCountdown({ days, hours, minutes }: Countdown): string {
  const told = [counted(days, 'day'), counted(hours, 'hour'), counted(minutes, 'minute')];
  return `${told.slice(0, 2).join(', ')} and ${told[2]}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
