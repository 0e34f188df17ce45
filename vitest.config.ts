import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const };

/** One project a kind of test; `scripts/test.ts` runs them in order, the fast ones first. */
export default defineConfig({
  test: {
    // One less than the machine has, but two: tests on databases wait more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['{domain,server,sandbox,scripts,bench}/**/*.test.ts', 'web/**/*.node.test.tsx'],
        },
      },
      {
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: ['web/**/*.node.test.tsx'],
          setupFiles: ['web/test-setup.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'database',
          include: ['tests/{database,parity}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          // Each file has its own server and browser, and most of its time is waiting.
          maxWorkers: 2,
          globalSetup: ['tests/support/prepared-folders.ts'],
        },
      },
    ],
  },
});
