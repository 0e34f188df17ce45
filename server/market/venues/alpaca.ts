/**
 * Shares from Alpaca's free feed: live trades of the exchange IEX. Bars come by REST and by a stream that allows one
 * connection at a time and requires a key. Bars outside the exchange's own hours are dropped.
 */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import {
  ALPACA_TIMEFRAMES,
  MAX_ALPACA_BARS,
  parseAlpacaBars,
  parseAlpacaFrame,
} from '#domain/market/codecs/alpaca-bars.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { updateQueue } from './transport/candle-stream.ts';
import { collectStretches, isWanted, malformedCounter, notTradedHere } from './transport/rest-paging.ts';
import { openUpstreamSocket } from './transport/upstream-socket.ts';
import { type VenueRequests, venueRequests } from './transport/venue-requests.ts';
import type { CandleUpdate, Venue, VenueOptions } from './venue.ts';

export interface AlpacaOptions extends VenueOptions {
  keys: { keyId: string; secretKey: string };
}

const FEED = 'iex';
/** Bars per call: a session has 390, and the extended hours some more. */
const PAGE_BARS = Math.min(2000, MAX_ALPACA_BARS);
const MAX_PAGES = 20;
const CALL_DAYS = 30;
const HISTORY_DAYS = 365;
/** Wait before a refused stream is retried: a wrong key or plan stays wrong, another's connection ends some time. */
const WRONG_KEY_PAUSE_MS = 600_000;
const REFUSED_PAUSE_MS = 30_000;
/** Auth failed, symbol limit, no such data in this plan. */
const PERMANENT_REFUSALS = new Set([402, 405, 409]);
/** At night no message comes for hours: pongs are the only proof of a live connection. */
const NEVER_STUCK = { stuckMs: Number.POSITIVE_INFINITY };

/** @param options  URLs without paths: `https://data.alpaca.markets`, `wss://stream.data.alpaca.markets` */
export function alpacaVenue(options: AlpacaOptions): Venue {
  const id = 'alpaca';
  const { restUrl, keys, clock, log, fetch, timeoutMs } = options;
  const symbols = options.symbols.filter((symbol) => symbol.assetClass === 'equity');
  const headers = { 'APCA-API-KEY-ID': keys.keyId, 'APCA-API-SECRET-KEY': keys.secretKey };
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs, headers });
  const url = `${options.wsUrl.replace(/\/$/, '')}/v2/${FEED}`;
  const malformed = malformedCounter(id, log);

  const supports = (symbol: MarketSymbol): boolean => symbols.some((s) => s.sym === symbol.sym);

  async function candles(
    symbol: MarketSymbol,
    count: number,
    signal: AbortSignal,
    timeframe: Timeframe = DEFAULT_TIMEFRAME,
  ): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    const asOfMs = clock.nowMs();
    return collectStretches({
      hours: symbol.hours,
      count,
      asOfMs,
      barS: barSecondsOf(timeframe),
      callDays: CALL_DAYS,
      historyDays: HISTORY_DAYS,
      malformed,
      fetchRange: (fromS, toS) => fetchAll(requests, symbol.sym, { fromS, toS, asOfMs, timeframe }, signal),
    });
  }

  async function* updates(wanted: readonly MarketSymbol[], signal: AbortSignal): AsyncGenerator<CandleUpdate, void> {
    const bySym = new Map(wanted.filter(supports).map((symbol) => [symbol.sym, symbol]));
    if (bySym.size === 0) return;
    const queue = updateQueue<CandleUpdate>();
    const closing = new AbortController();
    const streamSignal = AbortSignal.any([signal, closing.signal]);
    const timing = { ...NEVER_STUCK, ...options.socketTiming };
    const socket = openUpstreamSocket({ url, log, signal: streamSignal, timing, onMessage: handleFrame });
    try {
      yield* queue.drain(streamSignal);
    } finally {
      closing.abort();
    }

    function handleFrame(text: string): void {
      for (const message of parseAlpacaFrame(text)) {
        if (message.kind === 'connected') {
          socket.send(JSON.stringify({ action: 'auth', key: keys.keyId, secret: keys.secretKey }));
        } else if (message.kind === 'authenticated') {
          socket.send(JSON.stringify({ action: 'subscribe', bars: [...bySym.keys()] }));
        } else if (message.kind === 'malformed') malformed.add(1, 'stream');
        else if (message.kind === 'refused') {
          log.warn({ venue: id, reason: message.reason.slice(0, 200) }, 'venue refused to stream');
          socket.reconnect(PERMANENT_REFUSALS.has(message.code) ? WRONG_KEY_PAUSE_MS : REFUSED_PAUSE_MS);
        } else if (message.kind === 'bar') {
          const symbol = bySym.get(message.sym);
          const { candle } = message;
          if (symbol !== undefined && isWanted(symbol.hours, candle.time))
            queue.push({ symbol, candle, isClosed: true });
        }
      }
    }
  }

  return {
    id,
    attribution: 'IEX via Alpaca',
    delayS: 0,
    supports,
    candles,
    updates,
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}

/** Fetches every page of a range; both ends of the request are inclusive. */
async function fetchAll(
  requests: VenueRequests,
  sym: string,
  { fromS, toS, asOfMs, timeframe }: Record<'fromS' | 'toS' | 'asOfMs', number> & { timeframe: Timeframe },
  signal: AbortSignal,
): Promise<CandleRows> {
  const span = { start: rfc3339(fromS), end: rfc3339(toS - MINUTE_S) };
  const fixed = {
    symbols: sym,
    timeframe: ALPACA_TIMEFRAMES[timeframe],
    feed: FEED,
    sort: 'desc',
    limit: PAGE_BARS,
    ...span,
  };
  const combined: CandleRows = { seen: [], rows: 0, malformed: 0 };
  let token: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Record<string, string | number> = { ...fixed, ...(token === null ? {} : { page_token: token }) };
    const answer = parseAlpacaBars(await requests.getJson('/v2/stocks/bars', query, signal), sym, asOfMs, timeframe);
    combined.seen.push(...answer.seen);
    combined.rows += answer.rows;
    combined.malformed += answer.malformed;
    token = answer.nextPageToken;
    if (token === null) break;
  }
  return combined;
}

function rfc3339(epochS: number): string {
  return `${new Date(epochS * 1000).toISOString().slice(0, 19)}Z`;
}
