/** Book updates are reduced before anything else suffers from an overload, and are restored step by step. */
import type { LoopWindow } from '../../platform/admission/loop-meter.ts';

export interface BookPace {
  /** Minimum time between two updates of a book, milliseconds; 0: no limit. */
  everyMs(): number;
  record(window: LoopWindow, isBehind: boolean): void;
}

/**
 * Frames never take more than their share of the time (book-relay.ts), so with longer steps changes only grew older, and
 * no stream was begun sooner.
 */
const STEPS_MS = [0, 200, 500] as const;
/** Utilization: at `OVERLOADED` and above a window is overloaded; below `CALM` or `IDLE` updates may speed up. */
const OVERLOADED = 0.95;
const CALM = 0.85;
const IDLE = 0.6;
/** Consecutive windows before the next step: one busy moment slows nothing down. */
const OVERLOADED_WINDOWS = 3;
const CALM_WINDOWS = 4;
const IDLE_WINDOWS = 2;
/** A step back that came too early doubles the wait for the next one, up to this many windows. */
const MAX_CALM_WINDOWS = 32;

export function bookPace(): BookPace {
  let step = 0;
  let overloaded = 0;
  let calm = 0;
  let idle = 0;
  let calmWanted = CALM_WINDOWS;
  let sinceBack = Number.POSITIVE_INFINITY;

  function setStep(to: number): void {
    step = to;
    overloaded = calm = idle = 0;
  }

  return {
    everyMs: () => STEPS_MS[step] ?? 0,
    record({ utilization }, isBehind) {
      sinceBack += 1;
      overloaded = isBehind || utilization >= OVERLOADED ? overloaded + 1 : 0;
      calm = !isBehind && utilization < CALM ? calm + 1 : 0;
      idle = !isBehind && utilization < IDLE ? idle + 1 : 0;
      if (overloaded >= OVERLOADED_WINDOWS && step < STEPS_MS.length - 1) {
        // The last step back came too early.
        if (sinceBack < calmWanted) calmWanted = Math.min(MAX_CALM_WINDOWS, calmWanted * 2);
        setStep(step + 1);
      } else if (step > 0 && (calm >= calmWanted || idle >= IDLE_WINDOWS)) {
        if (idle >= IDLE_WINDOWS) calmWanted = CALM_WINDOWS;
        sinceBack = 0;
        setStep(step - 1);
      }
    },
  };
}
