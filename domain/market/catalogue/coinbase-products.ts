/** GET /products of Coinbase Exchange: every spot pair. It does not say since when a pair is listed. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import { optionalField } from '../codecs/optional-field.ts';
import type { CatalogueMarket, ProductStatus } from './market.ts';
import { NOT_OFFERED, type ProductList, type ReadProduct, readProducts, toMarket } from './product-list.ts';

const rowSchema = z.object({
  id: z.string(),
  base_currency: z.string(),
  quote_currency: z.string(),
  quote_increment: z.string(),
  status: z.string(),
  trading_disabled: optionalField(z.boolean()),
  cancel_only: optionalField(z.boolean()),
  post_only: optionalField(z.boolean()),
  auction_mode: optionalField(z.boolean()),
});

/** @throws AppError `venue/unavailable` when the answer is not a list */
export function parseCoinbaseProducts(answer: unknown): ProductList {
  if (!Array.isArray(answer)) {
    throw new AppError('venue/unavailable', { details: { reason: 'not a list of products' } });
  }
  return readProducts(answer, readRow);
}

function readRow(value: unknown): ReadProduct {
  const row = rowSchema.safeParse(value);
  if (!row.success) return null;
  const { id, base_currency: base, quote_currency: quote, quote_increment } = row.data;
  if (id !== `${base}-${quote}`) return NOT_OFFERED;
  return toMarket({
    venue: 'coinbase',
    productId: id,
    base,
    quote,
    kind: 'spot',
    status: statusOf(row.data),
    tick: quote_increment,
    listedAtMs: null,
  });
}

function statusOf(row: z.infer<typeof rowSchema>): ProductStatus {
  if (row.status === 'delisted') return 'delisted';
  const isPaused = row.trading_disabled || row.cancel_only || row.post_only || row.auction_mode;
  return row.status === 'online' && isPaused !== true ? 'trading' : 'halted';
}

export function toCoinbaseProduct({ productId, base, quote, status, tickSize }: CatalogueMarket): object {
  return {
    id: productId,
    base_currency: base,
    quote_currency: quote,
    quote_increment: decimalText(tickSize),
    display_name: `${base}/${quote}`,
    status: status === 'delisted' ? 'delisted' : 'online',
    trading_disabled: status !== 'trading',
    cancel_only: false,
    post_only: false,
    auction_mode: false,
  };
}
