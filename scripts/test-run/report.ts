/** The report of one run of the test runner: written by the reporter in its process, read by `npm test`. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

const fileReportSchema = z.object({
  /** Relative to the repository. */
  path: z.string(),
  /** Elapsed real time of imports, hooks and tests together. */
  durationMs: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** `TEST: first line of the error`. A file that does not load has one, without a test. */
  failures: z.array(z.string()),
});
const runReportSchema = z.object({ files: z.array(fileReportSchema), unhandledErrors: z.number() });

export type FileReport = z.infer<typeof fileReportSchema>;
export type RunReport = z.infer<typeof runReportSchema>;

/** Environment variable with the path of the reporter's file. */
export const REPORT_FILE = 'KAT_TEST_REPORT';
/** How many tests failed in the kinds before this one. */
export const FAILED_SO_FAR = 'KAT_TESTS_FAILED';
/** Set if the run was started on a terminal. */
export const ON_TERMINAL = 'KAT_TESTS_ON_TERMINAL';

/** @returns null if the runner stopped before it wrote one */
export function readReport(file: string): RunReport | null {
  try {
    return runReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The caller counts a run without a report as a failure.
    return null;
  }
}
