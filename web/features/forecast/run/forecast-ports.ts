/** The forecast machine's calls to the outside, and its notifications. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { ReservationMemory } from '../controls/reservation-memory.ts';
import type { ForecastEvent, History, Patience, StreamRequest } from './forecast-api.ts';
import type { ForecastRequest } from './forecast-state.ts';

export interface ForecastPorts {
  loadHistory(symbol: MarketSymbol, signal: AbortSignal, patience?: Patience): Promise<History>;
  openStream(
    request: StreamRequest,
    lastEventId: string | null,
    signal: AbortSignal,
    patience: Patience,
  ): AsyncIterable<ForecastEvent>;
  save(request: ForecastRequest, candles: Candle[]): Promise<PredictionRow | null>;
  loadStored(reservationId: string, signal: AbortSignal): Promise<StoredForecast | null>;
  memory: ReservationMemory;
  /** A short message to the user. */
  tell(message: string): void;
  report(error: unknown, context: Record<string, unknown>): void;
  /** An open stream ended for any reason: the quota may have changed, and `row` may be new. */
  onEnded(row: PredictionRow | null): void;
}
