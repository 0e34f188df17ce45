/**
 * Stops the processes that tests start (servers, PostgreSQL, browsers, commands) at random moments, as a busy machine
 * does. Test processes stop themselves: tests/support/run/process-stalls.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Random, seededRandom } from '../../server/forecast/paths/random.ts';

export interface ListedProcess {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
}

export interface Processes {
  list(): ListedProcess[];
  stop(pid: number): void;
  continue(pid: number): void;
}

const TICK_MS = 250;
/** Of all processes, on average a fifth are stopped at any moment. */
const SHARE_PER_TICK = 0.15;
const FOR_MS = { min: 20, max: 700 };
/** Their timers are the test's own: they stop themselves, between two timers. */
const TEST_PROCESS = 'vitest';

/** @returns ends it; every process runs afterwards */
export function startChildStops(seed: number, processes: Processes = thisSystem()): () => void {
  const random = seededRandom('child stops', seed);
  const timers = new Set<NodeJS.Timeout>();
  const stopped = new Set<number>();
  const after = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const resume = (pid: number): void => {
    if (stopped.delete(pid)) processes.continue(pid);
  };
  const tick = (): void => {
    for (const { atMs, forMs, pid } of drawStops(startedByTests(processes.list(), process.pid), random)) {
      if (stopped.has(pid)) continue;
      stopped.add(pid);
      after(atMs, () => processes.stop(pid));
      after(atMs + forMs, () => resume(pid));
    }
    after(TICK_MS, tick);
  };
  tick();
  return () => {
    for (const timer of timers) clearTimeout(timer);
    for (const pid of stopped) resume(pid);
  };
}

function drawStops(pids: readonly number[], random: Random): { pid: number; atMs: number; forMs: number }[] {
  return pids
    .filter(() => random() < SHARE_PER_TICK)
    .map((pid) => ({
      pid,
      atMs: random() * TICK_MS,
      forMs: FOR_MS.min + random() * (FOR_MS.max - FOR_MS.min),
    }));
}

/** Every descendant of a process except test processes. @param root  the process's id */
export function startedByTests(all: readonly ListedProcess[], root: number): number[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const descendants = (pid: number): ListedProcess[] =>
    (byParent.get(pid) ?? []).flatMap((child) => [child, ...descendants(child.pid)]);
  return descendants(root)
    .filter(({ command }) => !command.includes(TEST_PROCESS))
    .map(({ pid }) => pid);
}

/** On systems without /proc it lists nothing, so nothing stops. */
function thisSystem(): Processes {
  const signal = (pid: number, name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  };
  return {
    list: listProcesses,
    stop: (pid) => signal(pid, 'SIGSTOP'),
    continue: (pid) => signal(pid, 'SIGCONT'),
  };
}

function listProcesses(): ListedProcess[] {
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
