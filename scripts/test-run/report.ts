/** What one run of the test runner reports: written by the reporter in its process, read by `npm test`. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const fileReportSchema = z.object({
  /** Relative to the repository. */
  path: z.string(),
  /** Imports, hooks and tests together, as they passed on the clock. */
  durationMs: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** `TEST: first line of the error`. A file that does not load has one, with no test. */
  failures: z.array(z.string()),
});
const runReportSchema = z.object({ files: z.array(fileReportSchema), unhandledErrors: z.number() });

export type FileReport = z.infer<typeof fileReportSchema>;
export type RunReport = z.infer<typeof runReportSchema>;

/** Names the file that the reporter writes. */
export const REPORT_FILE = 'KAT_TEST_REPORT';
/** How many tests failed in the kinds before this one. */
export const FAILED_SO_FAR = 'KAT_TESTS_FAILED';
/** Set where the person who started the run looks at a terminal. */
export const ON_TERMINAL = 'KAT_TESTS_ON_TERMINAL';

/** @returns null: the runner stopped before it wrote one */
export function readReport(file: string): RunReport | null {
  try {
    return runReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The caller counts a run without a report as a failure.
    return null;
  }
}
