/**
 * The embedded database alone, under 32 writers: power cuts, one after another, each of which drops what was not synced.
 * It needs no rights, because the files are recorded at Node's file calls and rebuilt: tests/support/power-cut.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutRepeatedly } from '../../../support/power-cut/repeated-cuts.ts';
import type { Fault } from '../fault.ts';

const CUTS = 50;
const WRITES_PER_CUT = 200;

export const powerLoss: Fault = async ({ rounds = CUTS }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kat-power-'));
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  try {
    const dataDir = join(folder, 'data');
    const outcome = await cutRepeatedly({ dataDir, cuts: rounds, writesPerCut: WRITES_PER_CUT, seed });
    return {
      fault: 'power-loss',
      recoveryMs: [],
      acknowledged: { rows: outcome.acknowledged },
      unacknowledged: {},
      refusals: {},
      lost: [...outcome.lost.map((n) => `row ${n}`), ...outcome.broken],
      money: [],
      notes: [`seed ${seed}: SEED repeats its cuts`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
