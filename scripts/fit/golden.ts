/** Made-up inputs with the outputs they must go on giving: any drift of features, model or paths shows in one diff. */

import type { Candle } from '#domain/market/candle.ts';
import { toColumns } from '#domain/market/candle.ts';
import { computeForecast, type ForecastSubject } from '../../server/forecast/bobcat.ts';
import { buildFeatures } from '../../server/forecast/features.ts';
import { generatedCandles } from '../../server/forecast/generated-candles.ts';
import type { HarModel } from '../../server/forecast/model-file.ts';

interface GoldenInput {
  name: string;
  subject: ForecastSubject;
  candles: Candle[];
}

/** A Wednesday of New York daylight saving, 13:30 UTC: the opening of the share market. */
const OPENING_S = 1_749_043_800;
const NIGHT_S = 17.5 * 3600;

export function goldenCases(model: HarModel, modelVersion: string): unknown[] {
  return goldenInputs().map(({ name, subject, candles }) => {
    const features = buildFeatures(candles, subject.assetClass);
    const { t0, lastClose, volatility, path, band } = computeForecast(model, modelVersion, subject, candles);
    return {
      name,
      subject,
      candles: toColumns(candles),
      expected: {
        t0,
        lastClose,
        scale: features.scale,
        values: Array.from(features.values),
        session: Array.from(features.session),
        sigma: Array.from(volatility.sigma),
        rv50: volatility.rv50,
        range50: volatility.range50,
        path: toColumns(path),
        band,
      },
    };
  });
}

function goldenInputs(): GoldenInput[] {
  const share = { sym: 'MSFT', assetClass: 'equity', tickSize: 0.01 } as const;
  const before = generatedCandles({
    seed: 'golden-share-1',
    count: 390,
    startS: OPENING_S,
    firstOpen: 440,
    tickSize: 0.01,
  });
  const after = generatedCandles({
    seed: 'golden-share-2',
    count: 60,
    startS: OPENING_S + 390 * 60 + NIGHT_S,
    firstOpen: 443,
    tickSize: 0.01,
  });
  return [
    {
      name: 'a full lookback of crypto',
      subject: { sym: 'ETHUSDT.P', assetClass: 'crypto', tickSize: 0.01 },
      candles: generatedCandles({ seed: 'golden-crypto', count: 450, firstOpen: 2500, tickSize: 0.01 }),
    },
    {
      name: 'the shortest lookback, at a coarse tick',
      subject: { sym: 'DOGEUSDT.P', assetClass: 'crypto', tickSize: 0.00001 },
      candles: generatedCandles({ seed: 'golden-short', count: 120, firstOpen: 0.08, tickSize: 0.00001 }),
    },
    { name: 'a share an hour after its opening', subject: share, candles: [...before, ...after] },
  ];
}
