/**
 * How often order books are updated while the process has too much to do: books thin out before anything else suffers,
 * step by step, and come back step by step.
 */
import type { LoopWindow } from '../../platform/admission/loop-meter.ts';

export interface BookPace {
  /** Least time between two updates of a book, milliseconds; 0: as often as it changes. */
  everyMs(): number;
  /** To be told of each window of the event loop. */
  hear(window: LoopWindow, isBehind: boolean): void;
}

const STEPS_MS = [0, 200, 500, 1000, 2000] as const;
/** A window this full is pressed. Below the second bound there is room for more books, below the third for many more. */
const PRESSED = 0.95;
const CALM = 0.85;
const IDLE = 0.6;
/** Windows in a row before the next step: one busy moment thins nothing out. */
const PRESSED_WINDOWS = 3;
const CALM_WINDOWS = 4;
const IDLE_WINDOWS = 2;
/** A step back that was wrong is tried later and later. */
const MAX_CALM_WINDOWS = 32;

export function bookPace(): BookPace {
  let step = 0;
  let pressed = 0;
  let calm = 0;
  let idle = 0;
  let calmWanted = CALM_WINDOWS;
  let sinceBack = Number.POSITIVE_INFINITY;

  function go(to: number): void {
    step = to;
    pressed = calm = idle = 0;
  }

  return {
    everyMs: () => STEPS_MS[step] ?? 0,
    hear({ utilization }, isBehind) {
      sinceBack += 1;
      pressed = isBehind || utilization >= PRESSED ? pressed + 1 : 0;
      calm = !isBehind && utilization < CALM ? calm + 1 : 0;
      idle = !isBehind && utilization < IDLE ? idle + 1 : 0;
      if (pressed >= PRESSED_WINDOWS && step < STEPS_MS.length - 1) {
        // The last step back came too early.
        if (sinceBack < calmWanted) calmWanted = Math.min(MAX_CALM_WINDOWS, calmWanted * 2);
        go(step + 1);
      } else if (step > 0 && (calm >= calmWanted || idle >= IDLE_WINDOWS)) {
        if (idle >= IDLE_WINDOWS) calmWanted = CALM_WINDOWS;
        sinceBack = 0;
        go(step - 1);
      }
    },
  };
}
