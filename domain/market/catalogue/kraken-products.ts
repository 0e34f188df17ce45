/** GET /0/public/AssetPairs: every spot pair, under Kraken's own names. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import { krakenErrorsOf } from '../codecs/kraken-refusal.ts';
import { optionalField } from '../codecs/optional-field.ts';
import type { CatalogueMarket, ProductStatus } from './market.ts';
import { NOT_OFFERED, type ProductList, type ReadProduct, readProducts, toMarket } from './product-list.ts';

const listSchema = z.object({ error: z.array(z.string()), result: z.record(z.string(), z.unknown()) });
const rowSchema = z.object({
  altname: z.string(),
  /** 'XBT/USD'; absent for dark pools. */
  wsname: optionalField(z.string()),
  tick_size: optionalField(z.string()),
  pair_decimals: z.int().check(z.gte(0), z.lte(12)),
  status: optionalField(z.string()),
});

/** Kraken's names for assets that everyone else names differently. */
const ASSETS: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };
const OWN_NAMES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** @throws AppError `venue/unavailable` when the answer is not a list */
export function parseKrakenProducts(answer: unknown): ProductList {
  const parsed = listSchema.safeParse(answer);
  if (!parsed.success || krakenErrorsOf(answer).length > 0) {
    throw new AppError('venue/unavailable', { details: { reason: 'not a list of products' } });
  }
  return readProducts(Object.values(parsed.data.result), readRow);
}

function readRow(value: unknown): ReadProduct {
  const row = rowSchema.safeParse(value);
  if (!row.success) return null;
  const { altname, wsname, tick_size, pair_decimals, status = 'online' } = row.data;
  const [base = '', quote = '', ...more] = wsname?.split('/') ?? [];
  if (quote === '' || more.length > 0) return NOT_OFFERED;
  return toMarket({
    venue: 'kraken',
    productId: altname,
    base: ASSETS[base] ?? base,
    quote: ASSETS[quote] ?? quote,
    kind: 'spot',
    status: statusOf(status),
    tick: tick_size ?? 10 ** -pair_decimals,
    listedAtMs: null,
  });
}

/** Kraken removes a delisted pair from its list: then it is unknown here. */
function statusOf(status: string): ProductStatus {
  if (status === 'delisted') return 'delisted';
  return status === 'online' ? 'trading' : 'halted';
}

const STATUS_NAMES = { trading: 'online', halted: 'cancel_only', delisted: 'delisted' } as const;

/** @returns the key in the answer, and the row */
export function toKrakenProduct({ productId, base, quote, status, tickSize }: CatalogueMarket): [string, object] {
  const wsname = `${OWN_NAMES[base] ?? base}/${OWN_NAMES[quote] ?? quote}`;
  const tick = decimalText(tickSize);
  const pair_decimals = tick.split('.')[1]?.length ?? 0;
  return [productId, { altname: productId, wsname, pair_decimals, tick_size: tick, status: STATUS_NAMES[status] }];
}
