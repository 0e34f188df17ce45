import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { varianceFactors, widthFactor } from '#domain/forecast/releases/widening.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { modelFilesOf } from '../../forecast/inference/model-runner.ts';
import { generatedCandles } from '../../forecast/models/generated-candles.ts';
import { trainedSchema } from '../../forecast/models/manifest.ts';
import { openModelFiles } from '../../forecast/models/opened-model.ts';
import { readReleaseTable } from '../../forecast/releases/release-table-file.ts';
import { recordedReleases } from './recorded-releases.ts';

const MODELS_DIR = fileURLToPath(new URL('../../../models/', import.meta.url));
const ALL_BARS = Array.from({ length: 50 }, (_, i) => i + 1);

test.each([
  ['bobcat', '1min'],
  ['5min/lion', '5min'],
  ['15min/panther', '15min'],
] as const)('comes close to the factor that the forecast of %s said', async (id, timeframe) => {
  const folder = join(MODELS_DIR, id);
  const manifest = trainedSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  const { forecast, release } = await openModelFiles(id, modelFilesOf(folder, manifest));
  const barS = barSecondsOf(timeframe);
  const candles = generatedCandles({ seed: 'releases', count: 450, tickSize: 0.1, barS });
  const bars = { t0: candles.at(-1)?.time ?? 0, barS, assetClass: 'crypto' } as const;
  for (const bar of [1, 12, 40]) {
    const released = [{ timeS: bars.t0 + bar * barS, kind: 'inflation' as const }];
    const factors = varianceFactors(released, bars, readReleaseTable()) ?? [];
    const subject = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1, varianceFactors: factors } as const;
    const { volatility } = await forecast(subject, candles);
    const said = widthFactor(volatility.minuteVariance, factors);
    for (const stored of [ALL_BARS, SCORED_BARS]) {
      const upper = stored.map((at) => [...(volatility.upperQuantiles[at - 1] ?? [])]);
      const { factor } = recordedReleases({ list: [], isComplete: true, varianceFactors: factors }, { upper }, stored);
      expect(Math.abs(factor / said - 1), `bar ${bar}, ${stored.length} stored`).toBeLessThan(0.06);
    }
    expect(said).toBeGreaterThan(1.02);
  }
  await release();
});
