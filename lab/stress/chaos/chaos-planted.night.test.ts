/** A planted bug is found by a small run of `npm run lab -- chaos`. */
import { expect, test } from 'vitest';
import { plantedEnv } from './planted/planted-env.ts';
import { runSchedule } from './run-schedule.ts';

test('finds a second server that takes the data folder from a living one', async () => {
  const steps = [{ atMs: 500, target: 'server', fault: 'second-start', forMs: 0, choice: 0 }] as const;
  const env = plantedEnv('stolen-lock');

  const { violations } = await runSchedule(
    { seed: 1, world: 'embedded', usersMs: 3000, marketSpeed: 1, steps },
    { scale: 'small', env },
  );

  expect(violations).toContain('a second server started on the data folder of a living one');
}, 600_000);
