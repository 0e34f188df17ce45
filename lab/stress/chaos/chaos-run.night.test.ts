/** A small run of `npm run lab -- chaos`: a server is killed under its users and keeps every promise. */
import { expect, test } from 'vitest';
import { openPgliteDatabase } from '../../../server/platform/database/pglite/pglite-database.ts';
import { pgliteTemplate, testLimits } from '../../../tests/support/database/database.ts';
import { runSchedule } from './run-schedule.ts';
import type { Schedule } from './schedule/schedule.ts';

const schedule: Schedule = { seed: 1, world: 'embedded', usersMs: 3000, marketSpeed: 1, steps: [] };

async function fillFolder(dataDir: string): Promise<void> {
  await (await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() })).close();
}

test('finds nothing wrong with a server that is killed under its users', async () => {
  const steps = [{ atMs: 1500, target: 'server', fault: 'kill', forMs: 200, choice: 0 }] as const;

  const { violations, events, calls } = await runSchedule({ ...schedule, steps }, { scale: 'small', fillFolder });

  expect(violations).toEqual([]);
  expect(calls).toBeGreaterThan(20);
  expect(events.flatMap((event) => (event.type === 'fault' ? [event.phase] : []))).toEqual(['begin', 'end']);
}, 600_000);
