/** The embedded database after power cuts: see tests/support/power-cut. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cutRepeatedly } from '../support/power-cut/repeated-cuts.ts';
import { sampleSize } from '../support/run/test-size.ts';

const WRITES = 60;

describe('the embedded database', () => {
  let folder: string;
  const cut = (options: { cuts: number; isDurable?: boolean; losesSyncs?: boolean }) =>
    cutRepeatedly({ dataDir: join(folder, 'data'), writesPerCut: WRITES, seed: 29, ...options });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kat-power-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('loses no acknowledged write to power cuts, and contradicts itself nowhere', async () => {
    const cuts = sampleSize(1, 5);
    const outcome = await cut({ cuts });

    expect(outcome).toMatchObject({ lost: [], broken: [] });
    expect(outcome.acknowledged).toBeGreaterThanOrEqual(WRITES * cuts);
  });

  test('is found to lose writes when the syncs of its log do nothing', async () => {
    const outcome = await cut({ cuts: 1, losesSyncs: true });

    expect(outcome.acknowledged).toBeGreaterThanOrEqual(WRITES);
    expect(outcome.lost.length + outcome.broken.length).toBeGreaterThan(0);
  });
});
