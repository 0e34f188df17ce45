/** GET /api/v5/public/instruments?instType=SWAP: every swap. Kat offers those that are margined in USDT. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import { optionalField } from '../codecs/optional-field.ts';
import type { CatalogueMarket, ProductStatus } from './market.ts';
import { NOT_OFFERED, type ProductList, type ReadProduct, readProducts, toMarket } from './product-list.ts';

const QUOTE = 'USDT';
const SUFFIX = `-${QUOTE}-SWAP`;

const listSchema = z.object({ code: z.literal('0'), data: z.array(z.unknown()) });
const rowSchema = z.object({
  instId: z.string(),
  instType: z.string(),
  ctType: z.string(),
  settleCcy: z.string(),
  state: z.string(),
  tickSz: z.string(),
  listTime: optionalField(z.string()),
});

/** Anything else is a pause: suspend, preopen, test ... */
const STATUSES: Readonly<Record<string, ProductStatus>> = { live: 'trading', expired: 'delisted' };

/** @throws AppError `venue/unavailable` when the answer is not a list */
export function parseOkxProducts(answer: unknown): ProductList {
  const parsed = listSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'not a list of products' } });
  return readProducts(parsed.data.data, readRow);
}

function readRow(value: unknown): ReadProduct {
  const row = rowSchema.safeParse(value);
  if (!row.success) return null;
  const { instId, instType, ctType, settleCcy, state, tickSz, listTime = '' } = row.data;
  const isUsdtSwap = instType === 'SWAP' && ctType === 'linear' && settleCcy === QUOTE && instId.endsWith(SUFFIX);
  if (!isUsdtSwap) return NOT_OFFERED;
  return toMarket({
    venue: 'okx',
    productId: instId,
    base: instId.slice(0, -SUFFIX.length),
    quote: QUOTE,
    kind: 'perpetual',
    status: STATUSES[state] ?? 'halted',
    tick: tickSz,
    listedAtMs: /^\d{1,14}$/.test(listTime) ? Number(listTime) : null,
  });
}

const STATE_NAMES = { trading: 'live', halted: 'suspend', delisted: 'expired' } as const;

export function toOkxProduct({ productId, base, quote, status, tickSize, listedAtS }: CatalogueMarket): object {
  return {
    instId: productId,
    instType: 'SWAP',
    ctType: 'linear',
    settleCcy: quote,
    ctValCcy: base,
    state: STATE_NAMES[status],
    tickSz: decimalText(tickSize),
    listTime: listedAtS === null ? '' : String(listedAtS * 1000),
  };
}
