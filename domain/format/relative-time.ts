/** '12s ago', '3m ago', '5h ago', '2d ago'; the future counts as now. @param smallest  'm': news shows no seconds */
export function relativeTime(thenMs: number, nowMs: number, smallest: 's' | 'm' = 's'): string {
  const seconds = Math.max(0, Math.floor((nowMs - thenMs) / 1000));
  if (seconds < 60 && smallest === 's') return `${seconds}s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ago`;
  return `${Math.floor(hours / 24)}d ago`;
}

/** 'delayed 15 min'; null for prices without a delay. */
export function describeDelay(delayS: number): string | null {
  return delayS > 0 ? `delayed ${Math.max(1, Math.round(delayS / 60))} min` : null;
}
