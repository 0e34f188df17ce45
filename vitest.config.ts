import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test-commands/test-order.ts';
import { FILES_BY_KIND } from './scripts/test-run/kinds.ts';
import { isNight } from './tests/support/run/test-size.ts';
import { HANG_MS, WAIT_MS } from './tests/support/run/wait-limit.ts';
import { STALLS_SEED } from './tests/support/stalls/process-stalls.ts';

/** Random samples are larger at night. */
const LIMIT_MS = (isNight ? 5 : 1) * HANG_MS;
/** A busy machine takes several times as long as an idle one; a test that passes never waits until its limit. */
const patient = {
  setupFiles: [
    'server/platform/outbound/whole-answers.ts',
    'tests/support/run/patient-waits.ts',
    'tests/support/run/left-timers.ts',
    ...(process.env[STALLS_SEED] === undefined ? [] : ['tests/support/stalls/stalled-process.ts']),
  ],
  expect: { poll: { timeout: WAIT_MS } },
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
};
const node = { environment: 'node' as const, ...patient };
/**
 * PGlite is compiled once and quickly: optimising it costs more than it saves in the few statements of a test. No
 * parallel garbage collection, because no processor is idle: a database opens in a seventh less time. No full one below
 * 512 MB or while a test waits: nine files need a tenth less processor time, and a worker up to 300 MB more.
 */
const withPglite = {
  ...node,
  execArgv: ['--liftoff-only', '--single-threaded-gc', '--no-memory-reducer', '--initial-old-space-size=512'],
};

/**
 * Files that leave nothing behind may share a process, which loads their imports once. Mocks and stubs are removed
 * after each test.
 */
const shared = { isolate: false, restoreMocks: true, unstubGlobals: true };
/** Half of the time is waiting: for timers and rendering, for retries, for intentionally slow code. */
const WAITING = { maxWorkers: Math.max(4, availableParallelism()) };
/** These compute all the time. */
const COMPUTING = { maxWorkers: Math.max(3, availableParallelism() - 1) };

/** One project per kind of test. They run one after the other, because they have different numbers of workers. */
export default defineConfig({
  test: {
    // `npm test -- repeat` sets a random order, to find files and tests that depend on others.
    sequence: process.env.TEST_ORDER === 'random' ? { shuffle: true } : { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...node,
          ...COMPUTING,
          name: 'unit',
          sequence: { groupOrder: 0 },
          ...FILES_BY_KIND.unit,
          ...shared,
          setupFiles: [...patient.setupFiles, 'tests/support/run/property-samples.ts'],
        },
      },
      {
        test: {
          ...WAITING,
          name: 'web',
          sequence: { groupOrder: 1 },
          environment: 'jsdom',
          ...FILES_BY_KIND.web,
          ...patient,
          setupFiles: [...patient.setupFiles, 'tests/support/run/property-samples.ts', 'web/test-setup.ts'],
          // web/testing/fresh-page.ts gives each test a fresh page in the process that the files share.
          isolate: false,
        },
      },
      {
        test: {
          ...withPglite,
          ...shared,
          ...WAITING,
          name: 'database',
          sequence: { groupOrder: 2 },
          ...FILES_BY_KIND.database,
        },
      },
      {
        test: {
          ...withPglite,
          ...shared,
          ...WAITING,
          name: 'contract',
          sequence: { groupOrder: 3 },
          ...FILES_BY_KIND.contract,
        },
      },
      {
        test: {
          ...node,
          ...shared,
          ...WAITING,
          name: 'e2e',
          sequence: { groupOrder: 4 },
          ...FILES_BY_KIND.e2e,
          setupFiles: [...patient.setupFiles, 'tests/support/failures/left-behind.ts'],
          globalSetup: ['tests/support/servers/prepared-folders.ts', 'tests/support/servers/shared-servers.ts'],
        },
      },
    ],
  },
});
