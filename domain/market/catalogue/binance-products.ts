/** GET /fapi/v1/exchangeInfo: every USD-M future. Kat offers the perpetuals. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import { optionalField } from '../codecs/optional-field.ts';
import type { CatalogueMarket, ProductStatus } from './market.ts';
import { NOT_OFFERED, type ProductList, type ReadProduct, readProducts, toMarket } from './product-list.ts';

const listSchema = z.object({ symbols: z.array(z.unknown()) });
const rowSchema = z.object({
  symbol: z.string(),
  contractType: z.string(),
  status: z.string(),
  baseAsset: z.string(),
  quoteAsset: z.string(),
  onboardDate: optionalField(z.number()),
  filters: z.array(z.looseObject({ filterType: z.string() })),
});

/** Anything else is a pause: BREAK, HALT, PENDING_TRADING ... */
const STATUSES: Readonly<Record<string, ProductStatus>> = {
  TRADING: 'trading',
  SETTLING: 'delisted',
  PRE_SETTLE: 'delisted',
  PRE_DELIVERING: 'delisted',
  DELIVERING: 'delisted',
  DELIVERED: 'delisted',
  CLOSE: 'delisted',
};

/** @throws AppError `venue/unavailable` when the answer is not a list */
export function parseBinanceProducts(answer: unknown): ProductList {
  const parsed = listSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'not a list of products' } });
  return readProducts(parsed.data.symbols, readRow);
}

function readRow(value: unknown): ReadProduct {
  const row = rowSchema.safeParse(value);
  if (!row.success) return null;
  const { symbol, contractType, status, baseAsset: base, quoteAsset: quote, onboardDate, filters } = row.data;
  if (contractType !== 'PERPETUAL' || symbol !== base + quote) return NOT_OFFERED;
  return toMarket({
    venue: 'binance',
    productId: symbol,
    base,
    quote,
    kind: 'perpetual',
    status: STATUSES[status] ?? 'halted',
    tick: filters.find(({ filterType }) => filterType === 'PRICE_FILTER')?.tickSize,
    listedAtMs: onboardDate ?? null,
  });
}

const STATUS_NAMES = { trading: 'TRADING', halted: 'BREAK', delisted: 'SETTLING' } as const;

/** A row in the venue's format, with the fields that readers use. */
export function toBinanceProduct({ productId, base, quote, status, tickSize, listedAtS }: CatalogueMarket): object {
  return {
    symbol: productId,
    pair: productId,
    contractType: 'PERPETUAL',
    ...(listedAtS === null ? {} : { onboardDate: listedAtS * 1000 }),
    status: STATUS_NAMES[status],
    baseAsset: base,
    quoteAsset: quote,
    marginAsset: quote,
    underlyingType: 'COIN',
    filters: [{ filterType: 'PRICE_FILTER', tickSize: decimalText(tickSize) }],
  };
}
