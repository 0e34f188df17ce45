/**
 * A killed server keeps the work it acknowledged. The day run kills only the database
 * (tests/database/pglite-recovery.test.ts).
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { killServer } from '../load/faults/scenarios/kill-server.ts';
import { pgliteTemplate, testLimits } from '../support/database/database.ts';

test('keeps all acknowledged work after the server is killed, and accepts more', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-killed-'));
  await (await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() })).close();

  const { acknowledged, lost, money, recoveryMs } = await killServer({ rounds: 1, isTiny: true, dataDir });

  expect({ lost, money }).toEqual({ lost: [], money: [] });
  expect(acknowledged.signUps).toBeGreaterThan(1);
  expect(acknowledged.votes).toBeGreaterThan(1);
  expect(recoveryMs).toEqual([
    { signUps: { fromFault: expect.any(Number), fromEnd: expect.any(Number) }, votes: expect.anything() },
  ]);
});
