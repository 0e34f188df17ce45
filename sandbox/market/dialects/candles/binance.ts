/** Binance USD-M: one-minute klines of the perpetuals, REST and stream. */
import type { OpenDialect } from '../../dialect.ts';
import { answerRest } from './binance-rest.ts';
import { openKlineStreams } from './binance-stream.ts';

export const binanceDialect: OpenDialect = (parts) => {
  const { clock } = parts;
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'crypto');
  const byProduct = new Map(listing.map((listed) => [listed.productId, listed]));
  const streams = openKlineStreams({ ...parts, listing });
  return {
    name: 'binance',
    answer({ path, query }) {
      const { status, body, weight } = answerRest(path, query, byProduct, clock.nowMs());
      return { status, body, headers: { 'x-request-weight': String(weight) } };
    },
    ...streams,
  };
};
