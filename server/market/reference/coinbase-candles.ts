/**
 * The newest candles per product and granularity in Coinbase's format, cached for a minute and shared by all. Ranges
 * are cut from them here, so that no visitor can cause other calls; older candles are refused.
 */
import { type Context, Hono } from 'hono';
import type { Candle } from '#domain/market/candle.ts';
import {
  COINBASE_REFUSALS,
  type CoinbaseGranularity,
  coinbaseGranularityOf,
  MAX_COINBASE_CANDLES,
  parseCoinbaseCandles,
  readCoinbaseTimeS,
  toCoinbaseRow,
} from '#domain/market/codecs/coinbase-candles.ts';
import { symbolOfBookProduct } from '#domain/market/symbols.ts';
import { feedRequests } from '../../platform/feeds/feed-requests.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { type CachedAnswers, type CachedFeedDeps, cachedAnswers, cacheHeaders, inTime } from './upstream-cache.ts';

const FRESH_MS = 60_000;
/** A tenth of the rate that Coinbase's public API allows. */
const BUCKET = { size: 5, perMinute: 60 };
const TOO_OLD = `only the newest ${MAX_COINBASE_CANDLES} candles per granularity are served here`;

export function coinbaseCandlesRoutes(deps: CachedFeedDeps): Hono {
  const { restUrl: baseUrl, clock, log, fetch, monotonicMs, wait } = deps;
  const requests = feedRequests({ baseUrl, log, bucket: BUCKET, fetch, monotonicMs, wait });
  const answers: Readonly<Record<CoinbaseGranularity, CachedAnswers<readonly Candle[]>>> = {
    60: cachedCandles(60),
    300: cachedCandles(300),
    900: cachedCandles(900),
    3600: cachedCandles(3600),
    21600: cachedCandles(21_600),
    86400: cachedCandles(86_400),
  };

  /** The newest candles by product id, oldest first. */
  function cachedCandles(granularity: CoinbaseGranularity): CachedAnswers<readonly Candle[]> {
    const read = (body: string): readonly Candle[] => {
      const answer: unknown = JSON.parse(body);
      const { candles, malformed } = parseCoinbaseCandles(answer, granularity);
      if (malformed > 0) log.warn({ feed: 'coinbase', malformed }, 'malformed candles dropped');
      return candles.slice(-MAX_COINBASE_CANDLES);
    };
    return cachedAnswers<readonly Candle[]>({
      freshMs: FRESH_MS,
      clock,
      ...(monotonicMs === undefined ? {} : { monotonicMs }),
      load: (productId, signal) =>
        inTime(requests.question({ path: `/products/${productId}/candles`, query: { granularity }, read })(signal)),
    });
  }

  async function answer(c: Context): Promise<Response> {
    const refuse = (message: string, status: 400 | 404 = 400) =>
      c.json({ message }, status, { 'cache-control': 'no-store' });
    const productId = c.req.param('productId') ?? '';
    if (symbolOfBookProduct(productId) === null) return refuse(COINBASE_REFUSALS.product, 404);
    const query = readQuery(new URL(c.req.url).searchParams);
    if (typeof query === 'string') return refuse(query);
    const { granularity, range } = query;
    const cached = await answers[granularity].get(productId, c.req.raw.signal);
    const newestS = cached.value.at(-1)?.time ?? 0;
    if (range !== null && range.startS < newestS - MAX_COINBASE_CANDLES * granularity) return refuse(TOO_OLD);
    const wanted = cached.value.filter(({ time }) => range === null || (time >= range.startS && time <= range.endS));
    return c.json(wanted.map(toCoinbaseRow).reverse(), 200, cacheHeaders(cached, deps.origin));
  }

  const app = new Hono();
  app.get('/products/:productId/candles', answer);
  app.all('/products/:productId/candles', onlyMethods('GET', 'HEAD'));
  return app;
}

interface Query {
  granularity: CoinbaseGranularity;
  /** Null: the newest. */
  range: { startS: number; endS: number } | null;
}

const PARAMETERS: readonly string[] = ['granularity', 'start', 'end'];

function readQuery(params: URLSearchParams): Query | string {
  const unknown = [...params.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return `unknown parameter ${unknown.slice(0, 50)}`;
  const once = (name: string): string | null => (params.getAll(name).length > 1 ? '' : params.get(name));
  const granularity = coinbaseGranularityOf(once('granularity') ?? '');
  if (granularity === null) return COINBASE_REFUSALS.granularity;
  const [start, end] = [once('start'), once('end')];
  if (start === null && end === null) return { granularity, range: null };
  if (start === null || end === null) return 'start and end must be given together';
  const [startS, endS] = [readCoinbaseTimeS(start), readCoinbaseTimeS(end)];
  if (startS === null || endS === null) return COINBASE_REFUSALS.time;
  if (startS >= endS) return COINBASE_REFUSALS.order;
  if ((endS - startS) / granularity > MAX_COINBASE_CANDLES) return COINBASE_REFUSALS.points;
  return { granularity, range: { startS, endS } };
}
