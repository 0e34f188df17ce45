/** A forecast as it is streamed, stored once for all who reserve it and saved for them unchanged. */
import { createHash } from 'node:crypto';
import { amplifyBand } from '#domain/forecast/amplify.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { Forecast } from '../forecast.ts';

export interface KeptForecast {
  /** Derived from the content: two processes with the same forecast store it once. */
  id: string;
  /** 150 and 50 candles, exactly as saved. */
  history: readonly Candle[];
  forecast: readonly Candle[];
  /** Without a reservation id, which is each viewer's own. */
  start: StreamStart;
}

const kept = new WeakMap<Forecast, KeptForecast>();

/** The same object for the same forecast, created when the first viewer reserves it. */
export function toKept(forecast: Forecast): KeptForecast {
  const known = kept.get(forecast);
  if (known !== undefined) return known;
  const history = forecast.history.map(toSaved);
  const path = forecast.path.map(toSaved);
  const start = toStart(forecast, null, DEFAULT_AMPLIFY_PERCENT);
  const digest = createHash('sha256')
    .update(JSON.stringify([history, path, start]))
    .digest('hex');
  const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  const made = { id, history, forecast: path, start };
  kept.set(forecast, made);
  return made;
}

/** The stream's first event, with the amplification of the display. */
export function toStart(forecast: Forecast, reservationId: string | null, ampPercent: number): StreamStart {
  return {
    reservationId,
    t0: forecast.t0,
    lastClose: forecast.lastClose,
    exc: forecast.exc,
    sym: forecast.symbol.sym,
    model: forecast.model,
    modelVersion: forecast.modelVersion,
    issuedAtMs: forecast.issuedAtMs,
    marketKind: forecast.marketKind,
    ampPercent,
    band: amplifyBand(forecast.band, forecast.lastClose, ampPercent),
  };
}

/** A candle as it is sent and saved: the six fields, volume 0 where the feed has none, as in GET /history. */
export function toSaved({ time, open, high, low, close, volume }: Candle): Candle & { volume: number } {
  return { time, open, high, low, close, volume: volume ?? 0 };
}
