import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test-order.ts';

const node = { environment: 'node' as const };
/**
 * PGlite is compiled once and quickly: optimising it costs more than the few statements of a test could win back. And
 * no garbage is collected beside what runs, since no processor is idle: a database opens with a seventh less.
 */
const withPglite = { ...node, execArgv: ['--liftoff-only', '--single-threaded-gc'] };

/**
 * Files that leave nothing behind may share a process: what they import is loaded once. What a test put in the place of
 * something else is taken away after it.
 */
const shared = { isolate: false, restoreMocks: true, unstubGlobals: true };
/** Half of the time of tests on databases and in browsers is waiting: for a second try, for what is slow on purpose. */
const WAITING = { maxWorkers: Math.max(3, availableParallelism() - 1) };

/** One project a kind of test; `scripts/test.ts` runs them in order, the fast ones first. */
export default defineConfig({
  test: {
    // One less than the machine has, but two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['{domain,server,sandbox,scripts,bench}/**/*.test.ts', 'web/**/*.node.test.tsx'],
          // None of these leaves anything behind in its process, so that files may share one.
          isolate: false,
          // Some compute for seconds, and a busy machine takes several times as long.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: ['web/**/*.node.test.tsx'],
          setupFiles: ['web/test-setup.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          ...withPglite,
          ...shared,
          ...WAITING,
          name: 'database',
          include: ['tests/{database,parity}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withPglite,
          ...shared,
          ...WAITING,
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          ...WAITING,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          // One second, the default, is short for a page on a busy machine.
          expect: { poll: { timeout: 10_000 } },
          globalSetup: ['tests/support/prepared-folders.ts', 'tests/support/shared-servers.ts'],
        },
      },
    ],
  },
});
