/**
 * The process that reads the market computes for all. A request contains a digest of the candles, so an answer for
 * others is discarded; without one in time a process computes itself.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { forecastReleasesSchema } from '#domain/forecast/releases/forecast-releases.ts';
import { candleSchema } from '#domain/market/candle.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { HistorySlice } from '../market/candles/candle-history.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../market/catalogue/symbol-lookup.ts';
import type { MarketSharing } from '../market/sharing/sharing.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { Forecast, Forecasts } from './forecast.ts';

export interface PeerQuestion {
  exc: string;
  sym: string;
  timeframe: Timeframe;
  model: string;
  modelVersion: string;
  weightsSha256: string;
  /** Digest of the candles and their source. */
  candles: string;
}

/** The computed part; every process has the rest itself. */
export type PeerForecast = Pick<
  Forecast,
  't0' | 'lastClose' | 'issuedAtMs' | 'path' | 'releases' | 'varianceFactors' | 'band' | 'correction' | 'volatility'
>;

export interface ForecastPeers {
  /** Null: no other process computes it, or not in time. Never rejects. */
  request(question: PeerQuestion): Promise<PeerForecast | null>;
  /** Answers the others while this process leads. @returns stops answering */
  serve(forecasts: Forecasts): () => void;
}

export interface ForecastPeersOptions {
  sharing: MarketSharing;
  log: Logger;
  /** Absent: only the ten symbols of the picker. */
  symbols?: SymbolLookup | undefined;
  /** Longer than a forecast takes, shorter than an acceptable wait for two. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 3000;

const numbers = z.array(z.number());
const answerSchema = z.object({
  t0: z.int(),
  lastClose: z.number(),
  issuedAtMs: z.number(),
  path: z.array(candleSchema),
  releases: forecastReleasesSchema,
  varianceFactors: z.nullable(numbers),
  band: z.object({ lower80: numbers, upper80: numbers, lower95: numbers, upper95: numbers }),
  correction: z.object({ p80: numbers, p95: numbers }),
  volatility: z.object({
    minuteVariance: z.pipe(
      numbers,
      z.transform((values) => Float64Array.from(values)),
    ),
    upperQuantiles: z.array(numbers),
    rv50: z.number(),
    range50: z.number(),
  }),
});

const questionSchema = z.object({
  exc: z.string(),
  sym: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  model: z.enum(MODEL_NAMES),
  modelVersion: z.string(),
  weightsSha256: z.string(),
  candles: z.string(),
});

/** Equal only for equal candles of one venue and one kind of market. */
export function digestOf({
  venueId,
  marketKind,
  candles,
}: Pick<HistorySlice, 'venueId' | 'marketKind' | 'candles'>): string {
  const rows = candles.map((c) => [c.time, c.open, c.high, c.low, c.close, c.volume ?? null]);
  return createHash('sha256')
    .update(JSON.stringify([venueId, marketKind, rows]))
    .digest('base64url');
}

export function forecastPeers({
  sharing,
  log,
  symbols = ONLY_SPECIFIED,
  timeoutMs = TIMEOUT_MS,
}: ForecastPeersOptions): ForecastPeers {
  const { bus, leadership } = sharing;
  const subject = `${sharing.prefix}.forecast`;

  async function answer(forecasts: Forecasts, raw: unknown): Promise<unknown> {
    const question = questionSchema.parse(raw);
    const signal = AbortSignal.timeout(timeoutMs);
    const symbol = await symbols.tradedSymbol(question.exc, question.sym, signal);
    if (symbol === null) throw new Error('not one of our symbols');
    const { exc, model, timeframe } = question;
    const forecast = await forecasts.current(exc, symbol, model, signal, timeframe);
    const { modelVersion, weightsSha256, venueId, marketKind, lookback } = forecast;
    const isSame =
      modelVersion === question.modelVersion &&
      weightsSha256 === question.weightsSha256 &&
      digestOf({ venueId, marketKind, candles: lookback }) === question.candles;
    if (!isSame) return null;
    const { t0, lastClose, issuedAtMs, path, releases, varianceFactors, band, correction } = forecast;
    const volatility = { ...forecast.volatility, minuteVariance: [...forecast.volatility.minuteVariance] };
    return { t0, lastClose, issuedAtMs, path, releases, varianceFactors, band, correction, volatility };
  }

  return {
    async request(question) {
      if (leadership.term !== null || !bus.state().isConnected) return null;
      try {
        const parsed = z.nullable(answerSchema).safeParse(await bus.request(subject, question, { timeoutMs }));
        return parsed.success ? parsed.data : null;
      } catch (error) {
        log.debug({ err: error, sym: question.sym, model: question.model }, 'no forecast from another process');
        return null;
      }
    },
    serve(forecasts) {
      let stopAnswering: (() => void) | null = null;
      const turn = (term: number | null): void => {
        stopAnswering?.();
        stopAnswering = term === null ? null : bus.answer(subject, (raw) => answer(forecasts, raw));
      };
      const unwatch = leadership.onChange(turn);
      turn(leadership.term);
      return () => {
        unwatch();
        stopAnswering?.();
      };
    },
  };
}
