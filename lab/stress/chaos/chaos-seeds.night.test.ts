/** Some seeds of `npm run lab -- chaos`, other ones each night. */
import { describe, expect, test } from 'vitest';
import { MeansMissing, possibleFaults } from './means/possible-faults.ts';
import { runSchedule } from './run-schedule.ts';
import { describeStep, scheduleOf, WORLDS } from './schedule/schedule.ts';

const DAY_MS = 86_400_000;
const SEEDS = 3;
const first = Math.floor(Date.now() / DAY_MS) * SEEDS;
const seeds = Array.from({ length: SEEDS }, (_nothing, nth) => first + nth);

describe.each([...WORLDS])('the %s world', (world) => {
  test.each(seeds)(
    'keeps every promise under the faults of seed %i',
    async (seed) => {
      const schedule = scheduleOf(seed, { world, possible: possibleFaults(world), usersMs: 12_000 });

      const result = await runSchedule(schedule, { scale: 'full' }).catch((error: unknown) => {
        if (error instanceof MeansMissing) return null;
        throw error;
      });

      const steps = schedule.steps.map(describeStep);
      expect({ seed, steps, violations: result?.violations ?? [] }).toEqual({ seed, steps, violations: [] });
    },
    600_000,
  );
});
