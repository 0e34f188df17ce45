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

/** '42 min', '5 h 12 min', '1 d 18 h': how long to wait, rounded up, and never less than a minute. */
export function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${minutes} min`;
}
