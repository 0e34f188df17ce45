/** Checks checksums and tries a few forecasts before serving. Heavy: it loads the native library. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { ModelFiles, ModelRunner } from '../inference/model-runner.ts';
import { buildModelInputs } from '../network/model-inputs.ts';
import { openNetwork } from '../network/network.ts';
import {
  type ComputedForecast,
  computeForecast,
  type NetworkSubject,
  volatilityOf,
  widenedVolatility,
} from '../network/network-forecast.ts';
import { generatedCandles } from './generated-candles.ts';
import { modelVersionOf, pathTablesSchema } from './manifest.ts';
import { type ModelId, modelNameOf } from './model-id.ts';

interface OpenedModel {
  /** @throws AppError `market/too-few-candles`; `forecast/failed` with `details.reason` */
  forecast(subject: NetworkSubject, candles: readonly Candle[]): Promise<ComputedForecast>;
  release(): Promise<void>;
}

/** @throws Error describing what is wrong with the files or with the network's answers */
export async function openModelFiles(id: ModelId, files: ModelFiles): Promise<OpenedModel> {
  const { modelVersion, timeframe } = files;
  const graph = await readChecked(files.folder, files.network);
  const paths = await readChecked(files.folder, files.paths);
  // It identifies saved forecasts, and the drawn paths depend on it.
  const ownVersion = modelVersionOf(modelNameOf(id), graph, paths);
  if (modelVersion !== ownVersion)
    throw new Error(`the files belong to ${ownVersion}, but the manifest to ${modelVersion}`);
  const network = await openNetwork(graph, files.inputNames);
  try {
    const tables = pathTablesSchema.parse(JSON.parse(paths.toString('utf8')));
    const model: OpenedModel = {
      async forecast(subject, candles) {
        const inputs = buildModelInputs(candles, subject.assetClass, timeframe);
        const [output] = await network.run([inputs]).catch((error: unknown) => {
          throw new AppError('forecast/failed', { details: { reason: 'the network failed' }, cause: error });
        });
        if (output === undefined)
          throw new AppError('forecast/failed', { details: { reason: 'the network returned nothing' } });
        const volatility = widenedVolatility(volatilityOf(output, inputs.features), subject.varianceFactors);
        return computeForecast(tables, modelVersion, subject, inputs.features, volatility);
      },
      release: () => network.release(),
    };
    await tryOut(model, timeframe);
    return model;
  } catch (error) {
    await network.release();
    throw error;
  }
}

async function readChecked(folder: string, { file, sha256 }: ModelFiles['network']): Promise<Buffer> {
  const bytes = await readFile(join(folder, file));
  if (hash('sha256', bytes) === sha256) return bytes;
  throw new Error(`${file} does not match the checksum in the manifest`);
}

/** Finds a network that answers NaN, or other shapes than it declares, before any request. */
async function tryOut(model: OpenedModel, timeframe: Timeframe): Promise<void> {
  const barS = barSecondsOf(timeframe);
  for (const assetClass of ['crypto', 'equity', 'metal'] as const) {
    for (const count of [LOOKBACK_BARS, MIN_LOOKBACK_BARS]) {
      const candles = generatedCandles({ seed: `try-out-${assetClass}`, count, tickSize: 0.01, barS });
      await model.forecast({ sym: 'TRY-OUT', assetClass, tickSize: 0.01 }, candles).catch((error: unknown) => {
        throw new Error(`the first forecast failed: ${reasonOf(error)}`, { cause: error });
      });
    }
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error instanceof AppError ? (error.details.reason ?? error.code) : error.message;
  const cause = error.cause instanceof Error && error instanceof AppError ? `: ${error.cause.message}` : '';
  return `${reason}${cause}`;
}

/** Computes forecasts in this process: nothing guards against a hanging network. */
export function inProcessRunner(): ModelRunner {
  const models = new Map<ModelId, OpenedModel>();
  return {
    async open(model, files) {
      const opened = await openModelFiles(model, files);
      await models.get(model)?.release();
      models.set(model, opened);
    },
    async forecast(model, subject, candles) {
      const opened = models.get(model);
      if (opened === undefined) throw new AppError('forecast/failed', { details: { reason: 'the model is not open' } });
      return opened.forecast(subject, candles);
    },
    // A model opened here stays open.
    onLost: () => undefined,
    async close() {
      for (const opened of models.values()) await opened.release();
      models.clear();
    },
  };
}
