/** The kinds of test: which files belong to each, and in which order they run. `vitest.config.ts` reads the same list. */
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { isNight } from '../../tests/support/run/test-size.ts';

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
const notByDay = isNight ? [] : [NIGHT_FILES];

/** In web/, a `.test.ts` file runs without a DOM and a `.test.tsx` file with one; `.dom` and `.node` mark the exceptions. */
export const FILES_BY_KIND = {
  unit: {
    include: ['{domain,server,sandbox,scripts,bench}/**/*.test.ts', 'web/**/*.test.ts', 'web/**/*.node.test.tsx'],
    // The packages of bench/lighthouse contain tests.
    exclude: ['web/**/*.dom.test.ts', '**/node_modules/**', ...notByDay],
  },
  web: {
    include: ['web/**/*.test.tsx', 'web/**/*.dom.test.ts'],
    exclude: ['web/**/*.node.test.tsx', ...notByDay],
  },
  database: { include: ['tests/{database,parity}/**/*.test.ts'], exclude: notByDay },
  contract: { include: ['tests/contract/**/*.test.ts'], exclude: notByDay },
  e2e: { include: ['tests/e2e/**/*.test.ts'], exclude: notByDay },
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
