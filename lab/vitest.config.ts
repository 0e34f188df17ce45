import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { isNight } from '../tests/support/run/test-size.ts';
import { HANG_MS, WAIT_MS } from '../tests/support/run/wait-limit.ts';

const ROOT = resolve(import.meta.dirname, '..');
const LIMIT_MS = (isNight ? 5 : 1) * HANG_MS;

/** Tests of the laboratory's own tools. They compute, or start whole servers, so they share no process. */
export default defineConfig({
  root: ROOT,
  test: {
    projects: [
      {
        test: {
          name: 'lab',
          root: ROOT,
          environment: 'node',
          include: ['lab/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...(isNight ? [] : ['**/*.night.test.ts'])],
          setupFiles: [
            'server/platform/outbound/whole-answers.ts',
            'tests/support/run/patient-waits.ts',
            'tests/support/run/left-timers.ts',
            'tests/support/run/property-samples.ts',
          ],
          expect: { poll: { timeout: WAIT_MS } },
          testTimeout: LIMIT_MS,
          hookTimeout: LIMIT_MS,
          restoreMocks: true,
          unstubGlobals: true,
        },
      },
    ],
  },
});
