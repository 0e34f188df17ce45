/** Options of every candle venue over REST and WebSocket. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { SocketTiming } from './transport/upstream-socket.ts';

export interface VenueOptions {
  /** Base URLs, without paths. */
  restUrl: string;
  wsUrl: string;
  /** Symbols it may be called for; each venue ignores those it does not trade. */
  symbols: readonly MarketSymbol[];
  clock: Clock;
  log: Logger;
  fetch?: typeof fetch | undefined;
  timeoutMs?: number | undefined;
  socketTiming?: Partial<SocketTiming> | undefined;
}
