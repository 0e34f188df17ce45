/** A forecast as its page, its picture, its embed and its files show it: one shape for house forecasts and saved ones. */
import type { ModelName } from '../forecast/models.ts';
import type { ForecastBand } from '../forecast/quantiles.ts';
import type { ForecastReleases } from '../forecast/releases/forecast-releases.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import type { Candle } from '../market/candle.ts';
import type { MarketKind } from '../market/symbols.ts';
import { barSecondsOf, type Timeframe } from '../market/timeframes.ts';

export interface ForecastSeal {
  /** Number in the public record. */
  seq: number;
  /** SHA-256 of the record's text, hex. */
  hash: string;
}

/** A close of the outcome. Bars count from 1. */
export interface OutcomeClose {
  bar: number;
  close: number;
}

export interface ForecastContent {
  lastClose: number;
  /** Real candles before the forecast, oldest first; empty where they are no longer stored. */
  history: readonly Candle[];
  /** 50 drawn candles, fewer while they arrive; empty where only the record's text is left. */
  path: readonly Candle[];
  /** Bars at which the band has edges: all 50, the scored ones of an old record, or none. */
  bandBars: readonly number[];
  band: ForecastBand;
  /** What it knew of scheduled releases; absent: nothing, or it isn't stored. */
  releases?: ForecastReleases | undefined;
  /** Closes so far, rising by bar. */
  outcome: readonly OutcomeClose[];
}

export interface ForecastSubject {
  /** Null without a page: the shared forecast of the current minute, and what its owner does not share. */
  id: string | null;
  /** `unsaved`: a user's own one on their chart, before it is saved. */
  origin: 'house' | 'saved' | 'latest' | 'unsaved';
  label: string;
  model: ModelName;
  timeframe: Timeframe;
  market: MarketKind;
  /** Of its prices. */
  decimals: number;
  /** Opening second of the last real candle. */
  joinS: number;
  issuedMs: number;
  /** Null for a saved prediction: it is not part of the public record. */
  seal: ForecastSeal | null;
  /** How much its moves are amplified, if they are. */
  ampPercent?: number;
}

/**
 * `sealed`: a running forecast of a paid model, which has no content at all, so that nothing that draws it can show any.
 * `running`: some of its bars have not closed. `waiting`: all have, and its outcome is not stored yet. `void`: it has no
 * outcome.
 */
export type ForecastView = ForecastSubject &
  (
    | { state: 'sealed'; content: null }
    | { state: 'running' | 'waiting' | 'known'; content: ForecastContent }
    /** `reason`: a whole sentence. */
    | { state: 'void'; reason: string; content: ForecastContent }
  );

/** When its last bar closes; a sealed one opens then. Epoch seconds of the market's time. */
export function forecastEndS({ joinS, timeframe }: Pick<ForecastSubject, 'joinS' | 'timeframe'>): number {
  return joinS + (HORIZON_BARS + 1) * barSecondsOf(timeframe);
}

/** Opening second of a bar of the forecast, from 1. */
export function barTimeS({ joinS, timeframe }: Pick<ForecastSubject, 'joinS' | 'timeframe'>, bar: number): number {
  return joinS + bar * barSecondsOf(timeframe);
}

/** How many of its candles have arrived, while not all have; null otherwise. */
export function arrivedBars({ content }: Pick<ForecastView, 'content'>): number | null {
  const bars = content?.path.length ?? 0;
  return bars > 0 && bars < HORIZON_BARS ? bars : null;
}
