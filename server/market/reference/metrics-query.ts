import * as z from 'zod/mini';
import { wholeNumber } from '#domain/contract/query-fields.ts';
import { MAX_COINS } from '#domain/market/reference/global-metrics.ts';
import { readQuery } from '../../platform/http/calls/read-query.ts';

const DEFAULT_PER_PAGE = 100;

/** Valid values of each parameter; one with an upstream default may be left out. */
const coinsQuery = z.object({
  vs_currency: z.literal('usd'),
  order: z.optional(z.literal('market_cap_desc')),
  per_page: z._default(wholeNumber(1, MAX_COINS), DEFAULT_PER_PAGE),
  page: z.optional(z.literal('1')),
  sparkline: z.optional(z.literal('false')),
  price_change_percentage: z.optional(z.literal('24h')),
});
const noQuery = z.object({});
const fearGreedQuery = z.object({ limit: z.optional(z.literal('1')) });

/** @returns how many coins. @throws AppError `request/invalid` naming the parameter */
export function readCoinsQuery(params: URLSearchParams): number {
  return readQuery(params, coinsQuery, 'named').per_page;
}

/** @throws AppError `request/invalid` */
export function requireNoQuery(params: URLSearchParams): void {
  readQuery(params, noQuery, 'named');
}

/** @throws AppError `request/invalid` */
export function requireFearGreedQuery(params: URLSearchParams): void {
  readQuery(params, fearGreedQuery, 'named');
}
