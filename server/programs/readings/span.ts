/** A span of our time that a program requests. */
import { AppError } from '#domain/errors/app-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * From `from` up to, but not including, `to`: one day unless both are given.
 * @throws AppError `request/invalid` for a span that is empty or longer than `mostDays`
 */
export function readSpan(
  range: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
  mostDays: number,
): Span {
  const from = range.from === undefined ? null : Date.parse(range.from);
  const to = range.to === undefined ? null : Date.parse(range.to);
  const toMs = to ?? (from === null ? nowMs : from + DAY_MS);
  const fromMs = from ?? toMs - DAY_MS;
  if (fromMs >= toMs || toMs - fromMs > mostDays * DAY_MS) {
    throw new AppError('request/invalid', {
      details: { parameter: range.from === undefined ? 'to' : 'from', problem: 'invalid', mostDays },
    });
  }
  return { fromMs, toMs };
}
