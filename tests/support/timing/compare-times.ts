/** Whether the time of an answer tells two kinds of requests apart, compared with each other rather than with a limit. */
import { hash } from 'node:crypto';

/**
 * Calls of all kinds in turns, each round in another order, so that load and warming up meet all kinds alike.
 * @param call  one request, with nothing else that takes time
 */
export async function timedInTurns<Kind extends string>(
  kinds: readonly Kind[],
  rounds: number,
  call: (kind: Kind, round: number) => Promise<unknown>,
): Promise<Record<Kind, number[]>> {
  const times = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Record<Kind, number[]>;
  for (let round = 0; round < rounds; round++)
    for (const kind of shuffled(kinds, round)) {
      const beganMs = performance.now();
      await call(kind, round);
      times[kind].push(performance.now() - beganMs);
    }
  return times;
}

/** The same order in each run, and no kind always follows the same other. */
function shuffled<Kind extends string>(kinds: readonly Kind[], round: number): Kind[] {
  const places = new Map(kinds.map((kind) => [kind, hash('sha256', `${round} ${kind}`)]));
  return kinds.toSorted((a, b) => (places.get(a) ?? '').localeCompare(places.get(b) ?? ''));
}

/**
 * How often a guess by time alone is right, from 0.5 (never better than a coin) to 1. Of 400 calls each of one
 * kind in truth, luck exceeds 0.6 once in a million runs; a second statement for one kind gives 0.85.
 */
export function guessedByTime(one: readonly number[], other: readonly number[]): number {
  const sorted = other.toSorted((a, b) => a - b);
  let longer = 0;
  for (const time of one) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    longer += low;
  }
  const share = longer / (one.length * other.length);
  return Math.max(share, 1 - share);
}
