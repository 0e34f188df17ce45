/** GET /v5/market/instruments-info?category=linear: pages of a thousand, with a cursor to the next. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import { optionalField } from '../codecs/optional-field.ts';
import type { CatalogueMarket, ProductStatus } from './market.ts';
import { NOT_OFFERED, type ProductList, type ReadProduct, readProducts, toMarket } from './product-list.ts';

const pageSchema = z.object({
  retCode: z.literal(0),
  result: z.object({ list: z.array(z.unknown()), nextPageCursor: optionalField(z.string()) }),
});
const rowSchema = z.object({
  symbol: z.string(),
  contractType: z.string(),
  status: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  launchTime: optionalField(z.string()),
  priceFilter: z.object({ tickSize: z.string() }),
});

/** Anything else is a pause: PreLaunch ... */
const STATUSES: Readonly<Record<string, ProductStatus>> = {
  Trading: 'trading',
  Settling: 'delisted',
  Delivering: 'delisted',
  Closed: 'delisted',
};

/** `cursor` is empty after the last page. @throws AppError `venue/unavailable` when the answer is not a list */
export function parseBybitProducts(answer: unknown): ProductList & { cursor: string } {
  const parsed = pageSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'not a list of products' } });
  const { list, nextPageCursor = '' } = parsed.data.result;
  return { ...readProducts(list, readRow), cursor: nextPageCursor };
}

function readRow(value: unknown): ReadProduct {
  const row = rowSchema.safeParse(value);
  if (!row.success) return null;
  const { symbol, contractType, status, baseCoin: base, quoteCoin: quote, launchTime = '', priceFilter } = row.data;
  // BTCPERP and its like are settled in USDC, under a name without it.
  if (contractType !== 'LinearPerpetual' || symbol !== base + quote) return NOT_OFFERED;
  return toMarket({
    venue: 'bybit',
    productId: symbol,
    base,
    quote,
    kind: 'perpetual',
    status: STATUSES[status] ?? 'halted',
    tick: priceFilter.tickSize,
    listedAtMs: /^\d{1,14}$/.test(launchTime) ? Number(launchTime) : null,
  });
}

const STATUS_NAMES = { trading: 'Trading', halted: 'PreLaunch', delisted: 'Closed' } as const;

export function toBybitProduct({ productId, base, quote, status, tickSize, listedAtS }: CatalogueMarket): object {
  return {
    symbol: productId,
    contractType: 'LinearPerpetual',
    status: STATUS_NAMES[status],
    baseCoin: base,
    quoteCoin: quote,
    settleCoin: quote,
    launchTime: listedAtS === null ? '' : String(listedAtS * 1000),
    priceFilter: { tickSize: decimalText(tickSize) },
  };
}
