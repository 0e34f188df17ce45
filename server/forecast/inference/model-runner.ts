/** Where forecasts are computed: in the caller's process (scripts, tests) or in a separate one (the server). */
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { TrainedManifest } from '../models/manifest.ts';
import type { ModelId } from '../models/model-id.ts';
import type { InputName } from '../network/model-inputs.ts';
import type { ComputedForecast, NetworkSubject } from '../network/network-forecast.ts';

export interface ModelFiles {
  folder: string;
  modelVersion: string;
  network: { file: string; sha256: string };
  paths: { file: string; sha256: string };
  inputNames: InputName[];
  /** Length of the candles that it reads. */
  timeframe: Timeframe;
}

export interface ModelRunner {
  /** @throws Error with the reason why this model cannot be opened; the others stay as they are */
  open(model: ModelId, files: ModelFiles): Promise<void>;
  /**
   * @param candles closed, oldest first; the last 450 are read, at least 120 are needed
   * @returns the same for the same subject, model version and candles, on one machine and runtime, in any process
   * @throws AppError `market/too-few-candles`; `forecast/failed` with `details.reason`, an UnstartedForecast if no
   * network ran
   */
  forecast(model: ModelId, subject: NetworkSubject, candles: readonly Candle[]): Promise<ComputedForecast>;
  /** Called for each model that was open and can no longer be opened; immediately for those already lost. */
  onLost(listener: LossListener): void;
  close(): Promise<void>;
}

export type LossListener = (model: ModelId, reason: string) => void;

/** A forecast refused before any network ran: the next identical request may succeed. */
export class UnstartedForecast extends AppError {
  constructor(reason: string, cause?: Error) {
    super('forecast/failed', { details: { reason }, cause });
  }
}

export function modelFilesOf(folder: string, manifest: TrainedManifest): ModelFiles {
  const { modelVersion, network, paths, input, timeframe } = manifest;
  return { folder, modelVersion, network, paths, inputNames: input.names, timeframe: timeframe ?? DEFAULT_TIMEFRAME };
}
