import { parseArgs } from 'node:util';
import { BadInput } from '../bad-input.ts';
import { KINDS, type Kind, kindOfFile, listTestFiles, TEST_KINDS, type TestKind } from './kinds.ts';

/** The test files of each kind to run; `all` selects them without naming each, `main` the main ways of browser tests. */
export type Selection = Partial<Record<TestKind, readonly string[] | 'all' | 'main'>>;

export interface TestOptions {
  hasChecks: boolean;
  selection: Selection;
  /** Contract tests run on one database, browser tests beside them, and the longest tests not at all. */
  isQuick: boolean;
  /** Run only tests affected by changes since `since`; `selection` limits them. */
  changed: { since: string; isWhole: boolean } | null;
}

export const USAGE = `npm test                       every check and the tests of every kind, without the longest; of browser tests the
                               main ways
npm test -- all                every check and every test
npm test -- FILE...            single test files of any kind; part of a path is enough
npm test -- --only KIND        one kind: ${KINDS.join(', ')}
npm test -- --changed          the checks, and the tests that what changed since main reaches, nearest first,
                               as many as run in about a minute; --whole runs all of them, --since REF compares with REF
npm test -- NAME               all, night, repeat, coverage, mutations, fuzz or histories: see npm run help`;

/**
 * @param isWhole  a run without arguments runs every test
 * @throws BadInput with the reason and the usage
 */
export function readTestOptions(args: readonly string[], root: string, isWhole: boolean): TestOptions {
  const { values, positionals } = parse(args);
  if (values.only !== undefined && positionals.length > 0) throw refusal('--only cannot be combined with files');
  if (values.changed !== true && (values.since !== undefined || values.whole === true)) {
    throw refusal('--since and --whole only work with --changed');
  }
  if (positionals.length > 0) {
    if (values.changed === true) throw refusal('--changed cannot be combined with files');
    return { hasChecks: false, selection: selectFiles(positionals, root), isQuick: false, changed: null };
  }
  const kinds = values.only === undefined ? KINDS : [readKind(values.only)];
  const chosen = TEST_KINDS.filter((kind) => kinds.includes(kind));
  const changed = values.changed === true ? { since: values.since ?? 'main', isWhole: values.whole === true } : null;
  const isQuick = !isWhole && values.only === undefined && changed === null;
  return {
    hasChecks: kinds.includes('checks'),
    selection: Object.fromEntries(chosen.map((kind) => [kind, isQuick && kind === 'e2e' ? 'main' : 'all'])),
    isQuick,
    changed,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        changed: { type: 'boolean' },
        whole: { type: 'boolean' },
        since: { type: 'string' },
      },
    });
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

function readKind(text: string): Kind {
  const kind = KINDS.find((name) => name === text);
  if (kind === undefined) throw refusal(`--only must be one of ${KINDS.join(', ')}`);
  return kind;
}

/** @param wanted  paths or parts of paths */
export function selectFiles(wanted: readonly string[], root: string): Selection {
  const all = listTestFiles(root);
  const found = new Set<string>();
  for (const part of wanted) {
    const name = part.replaceAll('\\', '/').replace(/^\.\//, '');
    const matching = all.includes(name) ? [name] : all.filter((file) => file.includes(name));
    if (matching.length === 0) throw refusal(`no test file matches ${part}`);
    for (const file of matching) found.add(file);
  }
  return groupByKind([...found]);
}

export function groupByKind(files: readonly string[]): Selection {
  const kinds = TEST_KINDS.filter((kind) => files.some((file) => kindOfFile(file) === kind));
  return Object.fromEntries(kinds.map((kind) => [kind, files.filter((file) => kindOfFile(file) === kind)]));
}

function refusal(problem: string): BadInput {
  return new BadInput(`${problem}\n\n${USAGE}`);
}
