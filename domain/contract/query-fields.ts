/** Parameters that several routes take. */
import * as z from 'zod/mini';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '../market/timeframes.ts';

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  return z.int().check(z.gte(least), z.lte(most));
}

/** Any text but an empty one. */
export const filledText = z.string().check(z.minLength(1));

/** Absent: one minute. */
export const timeframeParameter = z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME);
