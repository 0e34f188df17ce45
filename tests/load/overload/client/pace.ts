/** Calls at even distances at a rate that may change, never waiting for what it calls. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** From now on; 0: nothing until the next change. */
  set(perMinute: number): void;
}

/** @param work  gets its number and the moment when it was due, by `performance.now()` */
export function startPace(perMinute: number, work: (nth: number, dueMs: number) => void): Pace {
  let rate = perMinute;
  let change = Promise.withResolvers<void>();
  let hasChanged = false;
  const set = (next: number): void => {
    if (next === rate) return;
    rate = next;
    hasChanged = true;
    change.resolve();
  };

  async function run(): Promise<void> {
    let nth = 0;
    let dueMs = performance.now();
    for (;;) {
      const waitMs = rate === 0 ? Number.POSITIVE_INFINITY : dueMs - performance.now();
      // Timers tell whole milliseconds: what is due within the next one begins now.
      if (waitMs > 1) await Promise.race([change.promise, rate === 0 ? new Promise(() => undefined) : sleep(waitMs)]);
      if (hasChanged) {
        hasChanged = false;
        change = Promise.withResolvers();
        dueMs = performance.now() + (rate === 0 ? 0 : 60_000 / rate);
        continue;
      }
      work(nth++, dueMs);
      dueMs += 60_000 / rate;
    }
  }

  void run();
  return { set };
}
