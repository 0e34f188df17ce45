/** The kinds of test: which files belong to each, and in which order they run. `vitest.config.ts` reads the same list. */
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { isNight, isQuick } from '../../tests/support/run/test-size.ts';

export const TEST_KINDS = ['unit', 'web', 'database', 'contract', 'e2e'] as const;
export type TestKind = (typeof TEST_KINDS)[number];

/** The static checks come first: they need no test runner. */
export const KINDS = ['checks', ...TEST_KINDS] as const;
export type Kind = (typeof KINDS)[number];

interface KindFiles {
  include: string[];
  exclude: string[];
}

/** Too large for every run: `npm test -- night` includes them. */
const NIGHT_FILES = '**/*.night.test.{ts,tsx}';
/**
 * A plain `npm test` leaves these to `npm test -- all`: the longest ones, and those of tools that no user or operator
 * runs. Together they take more than a quarter of the processor time.
 */
export const WHOLE_RUN_FILES: readonly string[] = [
  'scripts/pictures/**',
  'scripts/command-line.test.ts',
  // The tests' own tools, and commands as the documents show them.
  'tests/contract/{faults-control,shown-commands}.test.ts',
  'tests/database/{killed-run,lent-databases}.test.ts',
  // Random requests and random lives by the hundred.
  'tests/contract/{billing-histories,fuzz}.test.ts',
  // Whole processes and databases: started, killed, exhausted, cut off, copied and replaced.
  'tests/contract/{many-processes,operator-commands,operations-admin-grant,promote-model,picture-process}.test.ts',
  'tests/contract/{inference-process-openings,kat-verify,record-recompute,rest-limits,stream-database-killed}.test.ts',
  'tests/database/{backup,pglite-recovery,pglite-vacuum,power-cut}.test.ts',
];
const excluded = [...(isNight ? [] : [NIGHT_FILES]), ...(isQuick ? WHOLE_RUN_FILES : [])];

/** In web/, a `.test.ts` file runs without a DOM and a `.test.tsx` file with one; `.dom` and `.node` mark the exceptions. */
export const FILES_BY_KIND = {
  unit: {
    include: ['{domain,server,sandbox,scripts}/**/*.test.ts', 'web/**/*.test.ts', 'web/**/*.node.test.tsx'],
    exclude: ['web/**/*.dom.test.ts', '**/node_modules/**', ...excluded],
  },
  web: {
    include: ['web/**/*.test.tsx', 'web/**/*.dom.test.ts'],
    exclude: ['web/**/*.node.test.tsx', ...excluded],
  },
  database: { include: ['tests/{database,parity}/**/*.test.ts'], exclude: excluded },
  contract: { include: ['tests/contract/**/*.test.ts'], exclude: excluded },
  e2e: { include: ['tests/e2e/**/*.test.ts'], exclude: excluded },
} as const satisfies Record<TestKind, KindFiles>;

/** @param path  relative to the repository, with slashes @returns null: not a test file of this run */
export function kindOfFile(path: string): TestKind | null {
  const matches = (globs: readonly string[]): boolean => globs.some((glob) => matchesGlob(path, glob));
  return (
    TEST_KINDS.find((kind) => matches(FILES_BY_KIND[kind].include) && !matches(FILES_BY_KIND[kind].exclude)) ?? null
  );
}

/** Every test file of the repository, relative to it. @param root  the repository's folder */
export function listTestFiles(root: string): string[] {
  const files = TEST_KINDS.flatMap((kind) =>
    globSync([...FILES_BY_KIND[kind].include], { cwd: root, exclude: ['**/node_modules/**'] }),
  );
  return [...new Set(files)].map((file) => file.replaceAll('\\', '/')).filter((file) => kindOfFile(file) !== null);
}
