import type { DialectAnswer, DialectRequest, OpenDialect } from '../../dialect.ts';
import { type CoinFigures, coinFigures, type FiguresParts } from '../../simulation/coin-figures.ts';
import { callLimit } from '../call-limit.ts';

/** The limit of a Demo key. */
const CALLS_PER_MINUTE = 30;
/** Market value of unlisted coins, as a share of the listed ones. */
const REST_OF_MARKET = 0.06;
const SHOWN_SHARES = 10;

export const coingeckoDialect: OpenDialect = ({ listing, clock, seed }) => {
  const limit = callLimit(CALLS_PER_MINUTE);
  return {
    name: 'coingecko',
    answer(request) {
      const nowMs = clock.nowMs();
      const waitS = limit.count(nowMs);
      if (waitS !== null) return refuseTooMany(waitS);
      if (!hasGoodKey(request)) return refuse(401, 10_002, 'Invalid API key.');
      const { path, query } = request;
      if (path === '/api/v3/ping') return { status: 200, body: { gecko_says: '(V3) To the Moon!' } };
      if (path === '/api/v3/global') return { status: 200, body: globalBody({ listing, seed }, nowMs) };
      if (path === '/api/v3/coins/markets') return answerMarkets(query, { listing, seed }, nowMs);
      return { status: 404, body: { error: 'Incorrect path. Please check https://www.coingecko.com/api/' } };
    },
  };
};

/** Also true without a key, as with the real service. */
function hasGoodKey({ headers, query }: DialectRequest): boolean {
  const key = headers['x-cg-demo-api-key'] ?? headers['x-cg-pro-api-key'] ?? query.get('x_cg_demo_api_key');
  return key === null || key === undefined || key === 'sandbox';
}

function answerMarkets(query: URLSearchParams, parts: FiguresParts, nowMs: number): DialectAnswer {
  const currency = query.get('vs_currency');
  if (!currency) return { status: 422, body: { error: 'Missing parameter vs_currency' } };
  if (currency !== 'usd') return { status: 422, body: { error: 'invalid vs_currency' } };
  const perPage = Number(query.get('per_page') ?? 100);
  const page = Number(query.get('page') ?? 1);
  if (![perPage, page].every((n) => Number.isInteger(n) && n >= 1) || perPage > 250)
    return { status: 422, body: { error: 'invalid per_page or page' } };
  const hasInCurrency = query.get('price_change_percentage')?.split(',').includes('24h') ?? false;
  const rows = coinFigures(parts, nowMs).slice((page - 1) * perPage, page * perPage);
  return { status: 200, body: hasInCurrency ? rows : rows.map(withoutInCurrency) };
}

function withoutInCurrency({ price_change_percentage_24h_in_currency: _, ...row }: CoinFigures) {
  return row;
}

/** Totals of the whole market, for both list services. */
export function marketTotals(parts: FiguresParts, nowMs: number) {
  const rows = coinFigures(parts, nowMs);
  const sum = (read: (row: CoinFigures) => number | null) =>
    Math.round((1 + REST_OF_MARKET) * rows.reduce((total, row) => total + (read(row) ?? 0), 0));
  const cap = sum((row) => row.market_cap);
  const shares = rows
    .slice(0, SHOWN_SHARES)
    .map((row): [string, number] => [row.symbol, (100 * (row.market_cap ?? 0)) / cap]);
  return {
    cap,
    /** Percent change of the coins whose change is known. */
    changePercent: changeOf(rows),
    volume: sum((row) => row.total_volume),
    shares: Object.fromEntries(shares),
  };
}

function changeOf(rows: readonly CoinFigures[]): number {
  let [now, before] = [0, 0];
  for (const { market_cap: cap, market_cap_change_24h: change } of rows) {
    if (cap === null || change === null) continue;
    now += cap;
    before += cap - change;
  }
  return (now / before - 1) * 100;
}

function globalBody(parts: FiguresParts, nowMs: number) {
  const { cap, changePercent, volume, shares } = marketTotals(parts, nowMs);
  return {
    data: {
      active_cryptocurrencies: 18_234,
      upcoming_icos: 0,
      ongoing_icos: 49,
      ended_icos: 3376,
      markets: 1402,
      total_market_cap: { btc: 0, usd: cap },
      total_volume: { btc: 0, usd: volume },
      market_cap_percentage: shares,
      market_cap_change_percentage_24h_usd: changePercent,
      updated_at: Math.floor(nowMs / 1000),
    },
  };
}

function refuse(status: number, code: number, message: string): DialectAnswer {
  return { status, body: { status: { error_code: code, error_message: message } } };
}

function refuseTooMany(waitS: number): DialectAnswer {
  const message = "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing.";
  return { ...refuse(429, 429, message), headers: { 'retry-after': String(waitS) } };
}
