/**
 * Stops a process at random moments, as a busy machine does: whatever a test does between two timers, or within a short
 * time limit, then happens late. `npm test -- repeat --stalls` uses it to find tests that fail by chance.
 */
import timers from 'node:timers';
import { seededRandom } from '../../../server/forecast/paths/random.ts';

/** Environment variable with the seed of the stalls. */
export const STALLS_SEED = 'KAT_TEST_STALLS';

export interface Stall {
  /** Running time before it. */
  afterMs: number;
  forMs: number;
}

const AFTER_MS = { min: 1, max: 1200 };
const HOLD_MS = { min: 0, max: 60 };
/** How long a process stops. */
export const STOPPED_MS = { min: 200, max: 2000 };

// Captured before any test replaces timers.
const { setTimeout: startTimer, clearTimeout: stopTimer } = timers;
const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** @param file  each test file has its own stalls, so that it can be run alone with the same ones */
export function* stallsOf(seed: number, file: string): Generator<Stall, never> {
  const random = seededRandom('stalls', seed, file);
  // Squared, so that many stalls follow each other closely: they also reach tests that take a few milliseconds.
  while (true) yield { afterMs: between(AFTER_MS, random() ** 2), forMs: between(STOPPED_MS, random()) };
}

/** Stalls this process until the returned function is called. It doesn't prevent the process from ending. */
export function startStalls(stalls: Iterator<Stall, never>): () => void {
  let timer: NodeJS.Timeout;
  const scheduleNext = () => {
    const { afterMs, forMs } = stalls.next().value;
    timer = startTimer(() => {
      Atomics.wait(neverNotified, 0, 0, forMs);
      scheduleNext();
    }, afterMs).unref();
  };
  scheduleNext();
  return () => stopTimer(timer);
}

export interface HeldAnswers {
  /** Waits for a random time, so that independent answers come in any order. */
  hold(): Promise<void>;
  /** Waits until no answer is held back, nor any to a call that follows from one. */
  settled(): Promise<void>;
}

export function holdAnswers(seed: number, file: string): HeldAnswers {
  const random = seededRandom('answers', seed, file);
  let held = 0;
  const pause = (ms: number) => new Promise<void>((resolve) => startTimer(resolve, ms));
  return {
    async hold() {
      held += 1;
      await pause(between(HOLD_MS, random() ** 2));
      held -= 1;
    },
    async settled() {
      do await pause(1);
      while (held > 0);
    },
  };
}

function between({ min, max }: { min: number; max: number }, share: number): number {
  return Math.round(min + share * (max - min));
}
