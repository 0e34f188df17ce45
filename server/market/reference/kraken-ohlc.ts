/**
 * Kraken's answers, cached for a minute and shared by all, and monthly bars, which Kraken does not offer (R-MARKET-7).
 * Visitors cannot multiply calls, which are for four pairs and two intervals.
 */
import { type Context, Hono } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import { toCalendarMonths } from '#domain/market/codecs/calendar-months.ts';
import {
  KRAKEN_DAY,
  KRAKEN_ERRORS,
  KRAKEN_MONTH,
  KRAKEN_WEEK,
  type KrakenPair,
  type KrakenRow,
  krakenPairOf,
  parseKrakenOhlc,
  readKrakenSinceS,
  toKrakenAnswer,
  toKrakenError,
} from '#domain/market/codecs/kraken-ohlc.ts';
import { krakenRefusalOf } from '#domain/market/codecs/kraken-refusal.ts';
import { feedRequests } from '../../platform/feeds/feed-requests.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { krakenRefusal } from '../venues/venue-refusals.ts';
import { type CachedAnswer, type CachedFeedDeps, cachedAnswers, cacheHeaders, inTime } from './upstream-cache.ts';

const FRESH_MS = 60_000;
/** Kraken's public API allows one call a second. */
const BUCKET = { size: 1, perMinute: 60 };
const INTERVALS: ReadonlyMap<string, number> = new Map(
  [KRAKEN_DAY, KRAKEN_WEEK, KRAKEN_MONTH].map((minutes) => [String(minutes), minutes]),
);

/** Every refusal is a 200 with Kraken's error texts, as at Kraken. */
export function krakenOhlcRoutes(deps: CachedFeedDeps): Hono {
  const { restUrl: baseUrl, clock, log, fetch, monotonicMs, wait } = deps;
  const requests = feedRequests({
    baseUrl,
    log,
    bucket: BUCKET,
    readRefusal: krakenRefusal,
    fetch,
    monotonicMs,
    wait,
  });
  const answers = cachedAnswers<readonly KrakenRow[]>({
    freshMs: FRESH_MS,
    clock,
    ...(monotonicMs === undefined ? {} : { monotonicMs }),
    load: (path, signal) => inTime(requests.question({ path, read })(signal)),
  });

  function read(body: string): readonly KrakenRow[] {
    const answer: unknown = JSON.parse(body);
    const { rows, malformed } = parseKrakenOhlc(answer);
    if (malformed > 0) log.warn({ feed: 'kraken', malformed }, 'malformed bars dropped');
    return rows;
  }

  const rowsOf = (pair: KrakenPair, interval: number, signal: AbortSignal) =>
    answers.get(`/0/public/OHLC?pair=${pair.name}&interval=${interval}`, signal);

  async function monthsOf(pair: KrakenPair, signal: AbortSignal): Promise<CachedAnswer<readonly KrakenRow[]>> {
    const [days, weeks] = await Promise.all([rowsOf(pair, KRAKEN_DAY, signal), rowsOf(pair, KRAKEN_WEEK, signal)]);
    return {
      value: toCalendarMonths(days.value, weeks.value),
      fetchedAtMs: Math.min(days.fetchedAtMs, weeks.fetchedAtMs),
      isStale: days.isStale || weeks.isStale,
    };
  }

  async function answer(c: Context): Promise<Response> {
    const refuse = (...error: string[]) => c.json(toKrakenError(...error), 200, { 'cache-control': 'no-store' });
    const query = readQuery(new URL(c.req.url).searchParams);
    if (typeof query === 'string') return refuse(query);
    const { pair, interval, sinceS } = query;
    const { signal } = c.req.raw;
    try {
      const cached = await (interval === KRAKEN_MONTH ? monthsOf(pair, signal) : rowsOf(pair, interval, signal));
      return c.json(toKrakenAnswer(pair, cached.value, sinceS), 200, cacheHeaders(cached, deps.origin));
    } catch (error) {
      // Already logged. Kraken's own errors are forwarded; any other failure is reported as unavailable.
      if (isAppError(error)) return refuse(...(krakenRefusalOf(error) ?? [KRAKEN_ERRORS.unavailable]));
      throw error;
    }
  }

  const app = new Hono();
  app.get('/0/public/OHLC', answer);
  app.all('/0/public/OHLC', onlyMethods('GET', 'HEAD'));
  return app;
}

interface Query {
  pair: KrakenPair;
  /** Minutes. */
  interval: number;
  /** Only bars that start after it. */
  sinceS: number | undefined;
}

const PARAMETERS: readonly string[] = ['pair', 'interval', 'since'];

function readQuery(params: URLSearchParams): Query | string {
  const names = [...params.keys()];
  const isReadable = new Set(names).size === names.length && names.every((name) => PARAMETERS.includes(name));
  const [pairName, since] = [params.get('pair'), params.get('since')];
  if (!isReadable || pairName === null) return KRAKEN_ERRORS.arguments;
  const pair = krakenPairOf(pairName);
  if (pair === null) return KRAKEN_ERRORS.pair;
  const interval = INTERVALS.get(params.get('interval') ?? '');
  const sinceS = since === null ? undefined : readKrakenSinceS(since);
  return interval === undefined || sinceS === null ? KRAKEN_ERRORS.arguments : { pair, interval, sinceS };
}
