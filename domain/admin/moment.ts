/** Moments of the admin's answers: epoch numbers in either unit, their text, or ISO texts. Specification 2, section 3. */
import * as z from 'zod/mini';
import { toEpochMs } from '../time/epoch.ts';

/** A day before there is no date any more, so that a time zone may still be added. */
const MAX_MS = 8.64e15 - 86_400_000;

/** Milliseconds; null for what is missing, no time, or beyond every calendar. Below 2e9 numbers are seconds. */
export const momentSchema = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    const ms = toEpochMs(value);
    return ms !== null && Math.abs(ms) <= MAX_MS ? ms : null;
  }),
);
