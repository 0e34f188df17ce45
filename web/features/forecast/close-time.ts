/** When the last candle closed, as short as it can be said without doubt. */
import { timeLabel } from '../../charts/chart-words.ts';

const DAY_MS = 86_400_000;

/** '21:00' of today, 'Fri 21:00' of the last six days, 'Nov 6, 21:00' before; in the user's own zone. */
export function closeTimeLabel(closedAtS: number, nowMs: number): string {
  const closedAt = new Date(closedAtS * 1000);
  const daysAgo = Math.round((midnightMs(new Date(nowMs)) - midnightMs(closedAt)) / DAY_MS);
  if (daysAgo <= 0) return timeLabel(closedAtS);
  if (daysAgo > 6) return timeLabel(closedAtS, true);
  return `${closedAt.toLocaleDateString('en-US', { weekday: 'short' })} ${timeLabel(closedAtS)}`;
}

function midnightMs(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
