/** Schedules of `npm run lab -- chaos`: made from a seed alone, and made smaller when they fail. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOf, type Schedule, scheduleOf, WORLDS } from './schedule/schedule.ts';
import { shrinkSchedule } from './schedule/shrink.ts';

const seeds = fc.nat({ max: 1_000_000 });
const worlds = fc.constantFrom(...WORLDS);
const options = (world: (typeof WORLDS)[number]) => ({ world, possible: faultsOf(world), usersMs: 20_000 });

test('makes the same schedule from the same seed, in order and within the run', () => {
  fc.assert(
    fc.property(seeds, worlds, (seed, world) => {
      const schedule = scheduleOf(seed, options(world));

      expect(scheduleOf(seed, options(world))).toEqual(schedule);
      expect(schedule.steps.length).toBeGreaterThan(0);
      expect(schedule.steps.map(({ atMs }) => atMs)).toEqual(
        schedule.steps.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
      );
      for (const { atMs, forMs, choice } of schedule.steps) {
        expect(atMs).toBeLessThanOrEqual(20_000);
        expect(forMs).toBeGreaterThanOrEqual(0);
        expect(choice).toBeLessThan(1);
      }
    }),
  );
});

test.each([...WORLDS])('draws every fault of the %s world within 300 seeds', (world) => {
  const drawn = new Set<string>();
  for (let seed = 1; seed <= 300; seed += 1)
    for (const { target, fault } of scheduleOf(seed, options(world)).steps) drawn.add(`${target} ${fault}`);

  expect([...drawn].sort()).toEqual(
    faultsOf(world)
      .map(([target, fault]) => `${target} ${fault}`)
      .sort(),
  );
});

test('shrinks to the one step that fails, at its shortest', async () => {
  const step = { atMs: 1000, target: 'server', forMs: 4000, choice: 0.5 } as const;
  const schedule: Schedule = {
    seed: 1,
    world: 'embedded',
    usersMs: 20_000,
    marketSpeed: 20,
    steps: [
      { ...step, fault: 'pause' },
      { ...step, fault: 'kill', atMs: 2000 },
      { ...step, fault: 'pause', atMs: 3000 },
      { ...step, fault: 'second-start', atMs: 4000 },
      { ...step, fault: 'pause', atMs: 5000 },
    ],
  };
  const failsWith = (candidate: Schedule) =>
    candidate.steps.some(({ fault, forMs }) => fault === 'kill' && forMs >= 1000);

  const { schedule: smallest, runs } = await shrinkSchedule(schedule, async (one) => failsWith(one), 50);

  expect(smallest.steps).toEqual([{ ...step, fault: 'kill', atMs: 2000, forMs: 1000 }]);
  expect(smallest.marketSpeed).toBe(1);
  expect(runs).toBeLessThan(20);
});
