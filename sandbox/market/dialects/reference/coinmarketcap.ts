import type { DialectAnswer, OpenDialect } from '../../dialect.ts';
import { callLimit } from '../call-limit.ts';
import { marketTotals } from './coingecko.ts';

const CALLS_PER_MINUTE = 30;

export const coinmarketcapDialect: OpenDialect = ({ listing, clock, seed }) => {
  const limit = callLimit(CALLS_PER_MINUTE);
  return {
    name: 'coinmarketcap',
    answer({ path, headers }) {
      const nowMs = clock.nowMs();
      const timestamp = new Date(nowMs).toISOString();
      const key = headers['x-cmc_pro_api_key'];
      if (key === undefined) return refuse(401, 1002, 'API key missing.', timestamp);
      if (key !== 'sandbox') return refuse(401, 1001, 'This API Key is invalid.', timestamp);
      const waitS = limit.count(nowMs);
      if (waitS !== null) {
        const message = "You've exceeded your API Key's HTTP request rate limit. Rate limits reset every minute.";
        return { ...refuse(429, 1008, message, timestamp), headers: { 'retry-after': String(waitS) } };
      }
      if (path !== '/v1/global-metrics/quotes/latest')
        return { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } };
      const { cap, volume, shares } = marketTotals({ listing, seed }, nowMs);
      const quote = { USD: { total_market_cap: cap, total_volume_24h: volume, last_updated: timestamp } };
      const data = { btc_dominance: shares.btc, eth_dominance: shares.eth, quote, last_updated: timestamp };
      return { status: 200, body: { status: statusOf(0, null, timestamp), data } };
    },
  };
};

function statusOf(code: number, message: string | null, timestamp: string) {
  return { timestamp, error_code: code, error_message: message, elapsed: 1, credit_count: code === 0 ? 1 : 0 };
}

function refuse(status: number, code: number, message: string, timestamp: string): DialectAnswer {
  return { status, body: { status: statusOf(code, message, timestamp) } };
}
