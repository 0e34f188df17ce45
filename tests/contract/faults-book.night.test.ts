/** A killed server keeps what it acknowledged. By day tests/database/pglite-recovery.test.ts kills the database alone. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { killServer } from '../load/faults/scenarios/kill-server.ts';
import { pgliteTemplate, testLimits } from '../support/database/database.ts';

test('a server killed at work has everything that it acknowledged, and takes more', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-killed-'));
  await (await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() })).close();

  const { acknowledged, lost, money, recoveryMs } = await killServer({ rounds: 1, isTiny: true, dataDir });

  expect({ lost, money }).toEqual({ lost: [], money: [] });
  expect(acknowledged.signUps).toBeGreaterThan(1);
  expect(acknowledged.votes).toBeGreaterThan(1);
  expect(recoveryMs).toEqual([
    { signUps: { fromFault: expect.any(Number), fromEnd: expect.any(Number) }, votes: expect.anything() },
  ]);
}, 120_000);
