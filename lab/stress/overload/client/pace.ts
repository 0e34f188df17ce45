/** Calls at even intervals at a rate that may change, without waiting for the calls to finish. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Sets the rate from now on; 0: nothing until the next change. */
  set(perMinute: number): void;
}

/** @param work  gets its number and the time when it was due, by `performance.now()` */
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
      // Timers have whole milliseconds: what is due within the next one starts now.
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
