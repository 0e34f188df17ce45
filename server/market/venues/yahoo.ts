/**
 * Yahoo's chart API, for operators who run the product for themselves: its terms allow no redistribution, and it may
 * refuse at any time. Called once a minute for symbols with readers, under our own name and without cookies. Shares are
 * nearly real-time, futures a quarter of an hour late: two venues behind one API.
 */
import type { Candle } from '#domain/market/candle.ts';
import {
  parseYahooChart,
  YAHOO_CALL_DAYS,
  YAHOO_HISTORY_DAYS,
  yahooSymbolOf,
} from '#domain/market/codecs/yahoo-chart.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { malformedCounter, notTradedHere } from './transport/candle-pages.ts';
import { collectStretches } from './transport/candle-stretches.ts';
import { polledVenue } from './transport/polled-venue.ts';
import { type VenueRequests, venueRequests } from './transport/venue-requests.ts';
import type { Venue } from './venue.ts';
import type { VenueOptions } from './venue-options.ts';

export interface YahooOptions extends Omit<VenueOptions, 'wsUrl' | 'socketTiming'> {
  checkMs?: number;
}

const FUTURES_DELAY_S = 900;
/** Refusals are frequent there, and further calls make them last longer. */
const PAUSES_MS = { 429: 60_000 };
const HEADERS = { 'user-agent': 'kat', accept: 'application/json' };

/** @param options  `restUrl` without a path: `https://query1.finance.yahoo.com` */
export function yahooVenues(options: YahooOptions): readonly [shares: Venue, futures: Venue] {
  const { restUrl, log, fetch, timeoutMs } = options;
  const shared = { baseUrl: restUrl, log, fetch, timeoutMs, headers: HEADERS, pausesMs: PAUSES_MS };
  const requests = venueRequests(shared);
  const isShare = (symbol: MarketSymbol): boolean => symbol.assetClass === 'equity';
  const known = options.symbols.filter((symbol) => yahooSymbolOf(symbol) !== null);
  return [
    yahooVenue({ ...options, symbols: known.filter(isShare) }, requests, 0),
    yahooVenue({ ...options, symbols: known.filter((symbol) => !isShare(symbol)) }, requests, FUTURES_DELAY_S),
  ];
}

function yahooVenue(options: YahooOptions, requests: VenueRequests, delayS: number): Venue {
  const id = 'yahoo';
  const { symbols, clock, log, checkMs } = options;
  const malformed = malformedCounter(id, log);
  const nowMs = (): number => clock.nowMs() - delayS * 1000;

  async function ask(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    const name = yahooSymbolOf(symbol);
    if (name === null) throw notTradedHere();
    const asOfMs = nowMs();
    const path = `/v8/finance/chart/${encodeURIComponent(name)}`;
    return collectStretches({
      hours: symbol.hours,
      count,
      asOfMs,
      callDays: YAHOO_CALL_DAYS,
      historyDays: YAHOO_HISTORY_DAYS,
      malformed,
      async ask(fromS, toS) {
        const query = { interval: '1m', period1: fromS, period2: toS, includePrePost: 'false' };
        return parseYahooChart(await requests.getJson(path, query, signal), asOfMs);
      },
    });
  }

  const attribution = 'Yahoo Finance';
  return polledVenue({ id, attribution, symbols, delayS: () => delayS, nowMs, ask, malformed, log, checkMs });
}
