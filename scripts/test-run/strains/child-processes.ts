/** The processes that a test run has started, as Linux lists them. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
}

/** Their timers are the test's own: they stop themselves, between two timers. */
const TEST_PROCESS = 'vitest';

/** Every descendant of a process. @param root  the process's id */
export function descendantsOf(all: readonly ListedProcess[], root: number): ListedProcess[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const below = (pid: number): ListedProcess[] =>
    (byParent.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
  return below(root);
}

/** Every descendant except test processes. @param root  the process's id */
export function startedByTests(all: readonly ListedProcess[], root: number): number[] {
  return descendantsOf(all, root)
    .filter(({ command }) => !command.includes(TEST_PROCESS))
    .map(({ pid }) => pid);
}

/** @returns nothing on systems without /proc */
export function listProcesses(): ListedProcess[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  } catch {
    return [];
  }
}

function readProcess(pid: string): ListedProcess[] {
  try {
    // proc(5): the parent is the second field after the name, which is in brackets and may contain blanks.
    const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
    return [{ pid: Number(pid), parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}
