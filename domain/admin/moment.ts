import * as z from 'zod/mini';
import { toEpochMs } from '../time/epoch.ts';

/** A day before the largest valid date, so that a time zone offset can still be added. */
const MAX_MS = 8.64e15 - 86_400_000;

/** Milliseconds; null when missing, not a time, or out of the date range. Numbers below 2e9 are seconds. */
export const momentSchema = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    const ms = toEpochMs(value);
    return ms !== null && Math.abs(ms) <= MAX_MS ? ms : null;
  }),
);
