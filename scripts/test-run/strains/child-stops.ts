/**
 * Stops the processes that tests start (servers, PostgreSQL, browsers, commands) at random moments, as a busy machine
 * does. Test processes stop themselves: tests/support/stalls/process-stalls.ts.
 */
import { type Random, seededRandom } from '../../../server/forecast/paths/random.ts';
import { STOPPED_MS } from '../../../tests/support/stalls/process-stalls.ts';
import { type ListedProcess, listProcesses, startedByTests } from './child-processes.ts';

export interface Processes {
  list(): ListedProcess[];
  stop(pid: number): void;
  continue(pid: number): void;
}

const TICK_MS = 250;
/** Of all processes, on average a fifth are stopped at any moment. */
const SHARE_PER_TICK = 0.05;

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
      forMs: STOPPED_MS.min + random() * (STOPPED_MS.max - STOPPED_MS.min),
    }));
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
