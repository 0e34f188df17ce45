/** What a forecast knows of scheduled releases, as its readers are told. */
import * as z from 'zod/mini';

const release = z.object({
  /** Epoch seconds. */
  atS: z.int(),
  /** A ReleaseKind. */
  kind: z.string(),
  /** As the calendar prints it. */
  title: z.string(),
  /** As a sentence has it: 'US CPI'. */
  name: z.string(),
});

export const forecastReleasesSchema = z.object({
  /** Those between the forecast and its last bar that widen it, in order of time. */
  list: z.array(release),
  /** How many times wider they make the band at the forecast's last bar; 1 without any. */
  factor: z.number(),
  /** False: the calendar could not be read for all of its bars, so that a release may be missing. */
  isComplete: z.boolean(),
});
export type ForecastReleases = z.infer<typeof forecastReleasesSchema>;

export const NO_RELEASES: ForecastReleases = { list: [], factor: 1, isComplete: true };
