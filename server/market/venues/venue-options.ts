/** What every candle venue over REST and WebSocket is opened with. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { SocketTiming } from './transport/upstream-socket.ts';

export interface VenueOptions {
  /** Base addresses, without paths. */
  restUrl: string;
  wsUrl: string;
  /** Those it may be asked for; each venue leaves out what it does not trade. */
  symbols: readonly MarketSymbol[];
  clock: Clock;
  log: Logger;
  fetch?: typeof fetch | undefined;
  timeoutMs?: number | undefined;
  socketTiming?: Partial<SocketTiming> | undefined;
}
