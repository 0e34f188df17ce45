/** Saved predictions and outcomes, for tests. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { KnownOutcome, OutcomeRow, VoidReason } from '#domain/record/scoring/outcome.ts';
import { scorePath } from '#domain/record/scoring/scoring.ts';

export const NOW = Date.now();

/** @param count  minutes, from the first of 1970 on */
export function someCandles(count: number, close = 11): Candle[] {
  return Array.from({ length: count }, (_, i) => ({ time: 60 * (i + 1), open: 10, high: 12, low: 9, close }));
}

/** Flat bands around 11. */
export function aBand(half80 = 1, half95 = 2): ForecastBand {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  return {
    lower80: edge(11 - half80),
    upper80: edge(11 + half80),
    lower95: edge(11 - half95),
    upper95: edge(11 + half95),
  };
}

/** Of the n-th newest prediction, an hour apart. */
export function aRow(n: number, change: Partial<PredictionRow> = {}): PredictionRow {
  return {
    id: `p${n}`,
    user_id: 'u1',
    cryptocurrency: 'BTC',
    timeframe: '1min',
    model: 'kat1',
    created_at: new Date(NOW - n * 3_600_000).toISOString(),
    data: someCandles(200),
    ...change,
  };
}

/** Of a flat path at 11; it went to 10.5. */
export function aKnownOutcome(predictionId: string, close = 10.5): KnownOutcome {
  const path = someCandles(200).slice(150);
  const candles = path.map((candle) => ({ ...candle, close }));
  return {
    ...common(predictionId, NOW - 1000),
    state: 'known',
    candles,
    score: scorePath({ lastClose: 11, path, outcome: candles }),
  };
}

export function aWaitingOutcome(predictionId: string, dueMs: number): OutcomeRow {
  return { ...common(predictionId, dueMs), state: 'waiting' };
}

export function aVoidOutcome(predictionId: string, reason: VoidReason, returnedAt?: string | null): OutcomeRow {
  return {
    ...common(predictionId, NOW - 1000),
    state: 'void',
    void_reason: reason,
    ...(returnedAt !== undefined && { returned_at: returnedAt }),
  };
}

function common(prediction_id: string, dueMs: number) {
  return { prediction_id, market_kind: 'simulated' as const, due_at: new Date(dueMs).toISOString() };
}

interface ReadRequest {
  search: string;
}

/** How many newer rows a request for predictions leaves out, and how many it wants. */
export function rangeOf({ search }: ReadRequest): { from: number; count: number } {
  const query = new URLSearchParams(search);
  return { from: Number(query.get('offset')), count: Number(query.get('limit')) };
}

/** The predictions whose outcomes a request wants. */
export function idsOf({ search }: ReadRequest): string[] {
  const list = new URLSearchParams(search).get('prediction_id') ?? '';
  return list.replace(/^in\.\((.*)\)$/, '$1').split(',');
}

/** A page of predictions as the server sends it. @param total  of all pages */
export function aPage(rows: readonly unknown[], from: number, total: number): Response {
  const range = rows.length === 0 ? '*' : `${from}-${from + rows.length - 1}`;
  return Response.json(rows, { headers: { 'content-range': `${range}/${total}` } });
}
