/** Writes models/bobcat: coefficients, manifest, golden file, model card. Same input, same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS } from '#domain/forecast/models.ts';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { FEATURE_NAMES, SESSION_FEATURE_NAMES } from '../../server/forecast/features.ts';
import { PATH_COUNT } from '../../server/forecast/paths.ts';
import type { StatisticalManifest } from '../../server/forecast/statistical-manifest.ts';
import { type CandleFile, sha256Of } from '../measure/candle-files.ts';
import type { FittedModel } from './fit-model.ts';
import { goldenCases } from './golden.ts';
import { type GroupFigures, modelCard } from './model-card.ts';

/** Spans in words; the rule itself is splits.ts. */
const SPANS = {
  fit: 'before 2025-01-01, less the last 7 days of each 2023 perpetual span; shares and gold: the first third of their 2025 span, gold also 2014',
  validate:
    'January and February 2025 and the last 7 days of each 2023 perpetual span; shares and gold: the second third of their 2025 span',
  test: '2025-03-01 to 2025-04-01 (BTC, ETH spot) and May 2025 (perpetuals); shares and gold: the last third of their 2025 span',
  late: '2026, reported apart',
  purge: '51 minutes before every border',
};

/** How a model is named: kind and the first ten digits of its checksum. */
export function modelVersionOf(modelText: string): string {
  return `bobcat-har-${sha256Of(modelText).slice(0, 10)}`;
}

export function modelTextOf(fitted: FittedModel): string {
  return `${JSON.stringify(fitted.model)}\n`;
}

export function writeModel(
  folder: string,
  fitted: FittedModel,
  files: readonly CandleFile[],
  figures: readonly GroupFigures[],
): void {
  mkdirSync(folder, { recursive: true });
  const modelText = modelTextOf(fitted);
  const modelVersion = modelVersionOf(modelText);
  const manifest: StatisticalManifest = {
    model: 'bobcat',
    streamVersion: MODELS.bobcat.version,
    state: 'trained',
    kind: 'statistical',
    modelVersion,
    file: 'model.json',
    sha256: sha256Of(modelText),
    input: {
      lookbackBars: LOOKBACK_BARS,
      minLookbackBars: MIN_LOOKBACK_BARS,
      columns: ['time', 'open', 'high', 'low', 'close'],
    },
    output: { horizonBars: HORIZON_BARS, quantileLevels: [...QUANTILE_LEVELS], paths: PATH_COUNT },
    featureOrder: [...FEATURE_NAMES],
    sessionFeatureOrder: [...SESSION_FEATURE_NAMES],
    spans: SPANS,
    windows: fitted.counts,
    data: files.map((file) => ({
      file: `${file.name}-1m.csv.gz`,
      sha256: file.sha256,
      firstS: file.candles[0]?.time ?? 0,
      lastS: file.candles.at(-1)?.time ?? 0,
      rows: file.candles.length,
    })),
    notEvaluated: ['index', 'energy'],
    metrics: Object.fromEntries(figures.map(({ group, ...rest }) => [group, rest])),
  };
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('model.json', modelText);
  write('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`);
  write('golden.json', `${JSON.stringify({ modelVersion, cases: goldenCases(fitted.model, modelVersion) })}\n`);
  write('MODEL-CARD.md', modelCard(manifest, figures));
}
