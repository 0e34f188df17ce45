/**
 * Stops and continues a process and its children: `stop-and-go.ts PID SHARE PERIOD_MS`. Ends with its parent. Time in
 * which the process waits for a processor is not part of its share, so a busy machine holds it no further.
 */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../run/process-figures.ts';

const [pid = 0, share = 1, periodMs = 10] = process.argv.slice(2).map(Number);
const GATHER_EVERY = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

let held = [pid];
/** Event-loop timers are too coarse for a few milliseconds; this waits precisely. */
const wait = (ms: number): unknown => Atomics.wait(pause, 0, 0, ms);
const send = (signal: NodeJS.Signals): void => {
  for (const one of held) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended.
    }
  }
};

/** Most time for one turn of a process that waits for a processor, in turns of a machine that has one free. */
const MAX_TURNS = 20;
const POLL_MS = 2;

/** Of its main thread. */
function ranMs(): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** It runs, or waits for a processor. */
function isRunnable(): boolean {
  return /\) R /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function letRun(ms: number): void {
  const [startedAtMs, before] = [performance.now(), ranMs()];
  wait(ms);
  while (performance.now() - startedAtMs < MAX_TURNS * ms && ranMs() - before < ms && isRunnable()) wait(POLL_MS);
}

for (let turn = 0; process.ppid > 1; turn++) {
  if (turn % GATHER_EVERY === 0) held = [pid, ...childrenOf(pid)];
  send('SIGSTOP');
  wait(periodMs * (1 - share));
  send('SIGCONT');
  try {
    letRun(periodMs * share);
  } catch {
    // It has ended.
  }
}
