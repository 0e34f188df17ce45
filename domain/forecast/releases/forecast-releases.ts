/** What a forecast knows of scheduled releases, as its readers are told. */
import * as z from 'zod/mini';
import { RELEASE_KINDS } from '../../market/calendar/release-kinds.ts';

/** Far above what a day holds. */
const MOST_RELEASES = 100;

export const forecastReleasesSchema = z.object({
  /** Those between the forecast and its last bar that widen it, in order of time. */
  list: z
    .array(
      z.object({
        /** Epoch seconds. */
        atS: z.int(),
        kind: z.enum(RELEASE_KINDS),
        /** As the calendar prints it. */
        title: z.string().check(z.maxLength(200)),
      }),
    )
    .check(z.maxLength(MOST_RELEASES)),
  /** How many times wider they make the band at the forecast's last bar; 1 without any. */
  factor: z.number(),
  /** False: the calendar could not be read for all of its bars, so that a release may be missing. */
  isComplete: z.boolean(),
});
export type ForecastReleases = z.infer<typeof forecastReleasesSchema>;

export const NO_RELEASES: ForecastReleases = { list: [], factor: 1, isComplete: true };
