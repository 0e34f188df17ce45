/** Makes a failing schedule smaller: fewer steps, shorter ones, an ordinary market. */
import type { Schedule, Step } from './schedule.ts';

export interface Shrunk {
  schedule: Schedule;
  /** Runs that were made. */
  runs: number;
}

/**
 * Tries smaller schedules, as long as they still fail.
 *
 * @param fails  runs a schedule; a run that needs luck may be repeated by the caller
 * @param maxRuns  ends the search with the smallest schedule so far
 */
export async function shrinkSchedule(
  schedule: Schedule,
  fails: (candidate: Schedule) => Promise<boolean>,
  maxRuns: number,
): Promise<Shrunk> {
  let best = schedule;
  let runs = 0;
  const tried = new Set<string>();
  for (;;) {
    const next = await firstFailing(smallerThan(best));
    if (next === null) return { schedule: best, runs };
    best = next;
  }

  async function firstFailing(candidates: readonly Schedule[]): Promise<Schedule | null> {
    for (const candidate of candidates) {
      const key = JSON.stringify(candidate);
      if (tried.has(key)) continue;
      if (runs >= maxRuns) return null;
      tried.add(key);
      runs += 1;
      if (await fails(candidate)) return candidate;
    }
    return null;
  }
}

/** Smaller schedules, those that remove the most first. */
export function smallerThan(schedule: Schedule): Schedule[] {
  const { steps, marketSpeed } = schedule;
  const withSteps = (some: readonly Step[]): Schedule => ({ ...schedule, steps: some });
  const half = Math.ceil(steps.length / 2);
  const halves = steps.length > 1 ? [steps.slice(0, half), steps.slice(half)] : [];
  const withoutOne = steps.length > 2 ? steps.map((_step, at) => steps.toSpliced(at, 1)) : [];
  const shorter = steps.flatMap((step, at) =>
    step.forMs > 1000 ? [steps.with(at, { ...step, forMs: Math.round(step.forMs / 2) })] : [],
  );
  const ordinary = marketSpeed === 1 ? [] : [{ ...schedule, marketSpeed: 1 }];
  const none = steps.length > 0 ? [withSteps([])] : [];
  return [...none, ...[...halves, ...withoutOne].map(withSteps), ...ordinary, ...shorter.map(withSteps)];
}
