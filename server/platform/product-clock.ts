/** The system clock plus an offset, which tests of session expiry and grace periods set (DEVELOPMENT=clock). */
import type { Clock } from '#domain/time/clock.ts';

export interface ProductClock extends Clock {
  readonly offsetMs: number;
  moveTo(offsetMs: number): void;
}

export function productClock(): ProductClock {
  let offsetMs = 0;
  return {
    nowMs: () => Date.now() + offsetMs,
    get offsetMs() {
      return offsetMs;
    },
    moveTo(next) {
      offsetMs = next;
    },
  };
}
