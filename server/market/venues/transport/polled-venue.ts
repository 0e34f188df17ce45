/** A venue without a stream: its candles are requested once a minute for symbols with readers. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Venue } from '../venue.ts';
import { type MalformedCounter, notTradedHere } from './candle-pages.ts';
import { polledUpdates, pollingReaders } from './polled-updates.ts';

export interface PolledVenueOptions extends Pick<Venue, 'id' | 'attribution' | 'nowMs'> {
  /** The only symbols it is called for. */
  symbols: readonly MarketSymbol[];
  delayS(): number;
  /** The last `count` closed candles, oldest first. */
  ask(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]>;
  malformed: MalformedCounter;
  log: Logger;
  checkMs?: number | undefined;
}

export function polledVenue(options: PolledVenueOptions): Venue {
  const { id, attribution, symbols, delayS, nowMs, malformed, log, checkMs } = options;
  const readers = pollingReaders();

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function ask(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    return options.ask(symbol, count, signal);
  }

  return {
    id,
    attribution,
    get delayS() {
      return delayS();
    },
    supports,
    async candles(symbol, count, signal) {
      const candles = await ask(symbol, count, signal);
      readers.took(symbol, candles);
      return candles;
    },
    updates(wanted, signal) {
      const { isWanted } = readers;
      const asked = { venue: id, symbols: wanted.filter(supports), isWanted, nowMs, candles: ask };
      return polledUpdates({ ...asked, log, checkMs }, signal);
    },
    nowMs,
    get malformed() {
      return malformed.count;
    },
  };
}
