/** JSON and CSV of saved predictions, one row or object per candle. */

import { csv } from '../format/csv.ts';
import { fileName } from '../format/file-name.ts';
import type { Candle } from '../market/candle.ts';
import { DEFAULT_TIMEFRAME } from '../market/timeframes.ts';
import type { OutcomeRow } from '../record/scoring/outcome.ts';
import { toEpochMs } from '../time/epoch.ts';
import { modelOfBackendName } from './models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from './prediction.ts';
import { releaseNamesByBar } from './releases/release-bars.ts';
import { releasesJson } from './releases/releases-json.ts';
import { HISTORY_BARS } from './window.ts';

export interface SavedPrediction {
  row: PredictionRow;
  /** Null when none is stored. */
  outcome: OutcomeRow | null;
}

/** `unknown`: a short prediction does not show where its forecast begins. */
type CandleKind = 'history' | 'forecast' | 'outcome' | 'unknown';

const CANDLE_COLUMNS = ['time', 'kind', 'open', 'high', 'low', 'close', 'volume', 'release'] as const;
const PREDICTION_COLUMNS = ['prediction', 'coin', 'timeframe', 'model', 'saved_at'] as const;

/** CSV of one prediction: columns time (ISO, UTC), kind, prices, volume, and what is released in a bar of the forecast. */
export function predictionCsv(prediction: SavedPrediction): string {
  return csv([CANDLE_COLUMNS, ...candleCells(prediction)]);
}

export function predictionsCsvHeading(): string {
  return csv([[...PREDICTION_COLUMNS, ...CANDLE_COLUMNS]]);
}

export function predictionCsvRows(prediction: SavedPrediction): string {
  const { id, cryptocurrency, timeframe, model } = prediction.row;
  const own = [id, cryptocurrency, timeframe, modelLabel(model), savedAt(prediction.row)];
  return csv(candleCells(prediction).map((cells) => [...own, ...cells]));
}

export function predictionJson({ row, outcome }: SavedPrediction): object {
  const candles = candlesOf({ row, outcome });
  const ofKind = (kind: CandleKind) => candles.filter((one) => one.kind === kind).map(({ candle }) => toJson(candle));
  return {
    id: row.id,
    coin: row.cryptocurrency,
    timeframe: row.timeframe,
    model: modelLabel(row.model),
    savedAt: savedAt(row),
    history: ofKind('history'),
    forecast: ofKind('forecast'),
    ...(ofKind('unknown').length > 0 && { candles: ofKind('unknown') }),
    band: row.band ?? null,
    releases: row.releases ? releasesJson(row.releases) : null,
    outcome: outcomeJson(outcome, ofKind('outcome')),
  };
}

/** 'kat-BTC-2026-11-22T14-05-kat1.csv', 'kat-BTC-5min-2026-...': the minute in UTC. */
export function exportName(row: PredictionRow, ending: 'csv' | 'json'): string {
  const length = row.timeframe === DEFAULT_TIMEFRAME ? [] : [row.timeframe];
  return fileName([row.cryptocurrency, ...length, savedAt(row).slice(0, 16), row.model], ending);
}

function outcomeJson(outcome: OutcomeRow | null, candles: readonly object[]): object | null {
  if (outcome === null) return null;
  const { state, due_at: dueAt } = outcome;
  if (state === 'known') return { state, dueAt, marketKind: outcome.market_kind, candles, score: outcome.score };
  return state === 'void' ? { state, dueAt, reason: outcome.void_reason } : { state, dueAt };
}

function candlesOf({ row, outcome }: SavedPrediction): { kind: CandleKind; candle: Candle }[] {
  const { candles } = readSavedCandles(row.data);
  const joinS = savedJoinS(candles);
  const kindOf = (candle: Candle): CandleKind => {
    if (joinS === null) return 'unknown';
    return candle.time > joinS ? 'forecast' : 'history';
  };
  const actual = outcome?.state === 'known' ? outcome.candles : [];
  return [
    ...candles.map((candle) => ({ kind: kindOf(candle), candle })),
    ...actual.map((candle) => ({ kind: 'outcome' as const, candle })),
  ];
}

function candleCells(prediction: SavedPrediction): string[][] {
  const releaseOf = releasesOf(prediction.row);
  return candlesOf(prediction).map(({ kind, candle: { time, open, high, low, close, volume } }) => [
    isoTime(time),
    kind,
    ...[open, high, low, close].map(String),
    volume === undefined ? '' : String(volume),
    (kind === 'forecast' && releaseOf.get(time)) || '',
  ]);
}

/** Names by the opening second of their bar; none for a short prediction, which does not show where its forecast begins. */
function releasesOf({ data, releases }: PredictionRow): ReadonlyMap<number, string> {
  const { candles } = readSavedCandles(data);
  const [join, first] = candles.slice(HISTORY_BARS - 1);
  if (savedJoinS(candles) === null || join === undefined || first === undefined) return new Map();
  return releaseNamesByBar(releases, join.time, first.time - join.time);
}

function toJson({ time, open, high, low, close, volume }: Candle): object {
  return { time: isoTime(time), open, high, low, close, ...(volume !== undefined && { volume }) };
}

function modelLabel(backendName: string): string {
  return modelOfBackendName(backendName)?.label ?? backendName;
}

/** ISO, UTC; unchanged if it isn't a valid time. */
function savedAt({ created_at: text }: PredictionRow): string {
  const timeMs = toEpochMs(text);
  return timeMs === null ? text : isoTime(timeMs / 1000);
}

function isoTime(timeS: number): string {
  return `${new Date(timeS * 1000).toISOString().slice(0, 19)}Z`;
}
