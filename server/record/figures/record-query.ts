/** Parameters of the record's public addresses. */
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

const DAY_MS = 86_400_000;

/** The first millisecond of a day such as 2026-11-25. @throws AppError `request/invalid` */
export function dayMsOf(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // `Date.parse` reads 31 February as a day in March.
  if (!Number.isFinite(ms) || ms % DAY_MS !== 0 || new Date(ms).toISOString().slice(0, 10) !== day)
    throw invalidParameter('day', 'invalid');
  return ms;
}
