import type { StreamStart, UnsavedForecast } from '#domain/forecast/stream-message.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { symbolOfLabel } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { ChartMarket } from '../run/chart-market.ts';

export function aMarket(label = 'BTC', timeframe: Timeframe = DEFAULT_TIMEFRAME): ChartMarket {
  const symbol = symbolOfLabel(label);
  if (symbol === null) throw new Error(`no symbol ${label}`);
  return { symbol, timeframe };
}

/** A whole minute: the opening second of the last real candle. */
export const T0 = 1_767_700_800;

export function candlesUntil(lastS: number, count: number, barS = MINUTE_S): Candle[] {
  return Array.from({ length: count }, (_, i) => aCandle(lastS - (count - 1 - i) * barS));
}

export function forecastPath(t0 = T0, count = 50, barS = MINUTE_S): Candle[] {
  return Array.from({ length: count }, (_, i) => aCandle(t0 + (i + 1) * barS));
}

export function aCandle(time: number): Candle {
  return { time, open: 100, high: 102, low: 99, close: 101, volume: 5 };
}

export function aStart(change: Partial<StreamStart> = {}): StreamStart {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  return {
    reservationId: 'r1',
    t0: T0,
    lastClose: 101,
    exc: 'BINANCE',
    sym: 'BTCUSDT.P',
    model: 'bobcat',
    modelVersion: '1',
    issuedAtMs: T0 * 1000 + 61_000,
    marketKind: 'simulated',
    ampPercent: 100,
    band: { lower80: edge(99), upper80: edge(103), lower95: edge(98), upper95: edge(104) },
    ...change,
  };
}

interface SavedRow {
  id?: string;
  cryptocurrency?: string;
  /** Opening second of the last real candle. */
  joinS?: number;
  closes?: number;
  timeframe?: Timeframe;
}

/** A saved prediction as the database returns it. */
export function aRow(row: SavedRow = {}) {
  const { id = 'p1', cryptocurrency = 'BTC', joinS = T0, closes = 101, timeframe = DEFAULT_TIMEFRAME } = row;
  const barS = barSecondsOf(timeframe);
  const candles = [...candlesUntil(joinS, 150, barS), ...forecastPath(joinS, 50, barS)];
  return {
    id,
    user_id: '11111111-1111-4111-8111-111111111111',
    cryptocurrency,
    timeframe,
    model: 'kat1',
    created_at: new Date((joinS + barS + 10) * 1000).toISOString(),
    data: candles.map((candle) => ({ ...candle, close: closes })),
    band: aStart().band,
  };
}

/** One minute old, ten candles sent. */
export function anUnsaved(change: Partial<UnsavedForecast> = {}): UnsavedForecast {
  return {
    id: 'r1',
    model: 'kat1',
    exc: 'BINANCE',
    sym: 'ETHUSDT.P',
    label: 'ETH',
    timeframe: DEFAULT_TIMEFRAME,
    t0: T0,
    candlesSent: 10,
    createdAtMs: T0 * 1000,
    expiresAtMs: T0 * 1000 + 600_000,
    ageMs: 60_000,
    ...change,
  };
}
