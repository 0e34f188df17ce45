/** Stops and continues a process and its children: `stop-and-go.ts PID SHARE PERIOD_MS`. Ends with its parent. */
import { childrenOf } from '../../../support/run/process-figures.ts';

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

for (let turn = 0; process.ppid > 1; turn++) {
  if (turn % GATHER_EVERY === 0) held = [pid, ...childrenOf(pid)];
  send('SIGSTOP');
  wait(periodMs * (1 - share));
  send('SIGCONT');
  wait(periodMs * share);
}
