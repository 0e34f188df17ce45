/** The answer of GET /markets. */
import * as z from 'zod/mini';
import { type MarketSymbol, SYMBOLS } from '../symbols.ts';
import { cataloguedSymbol } from './catalogued-symbol.ts';
import { LISTING_KINDS, LISTING_STATUSES } from './listing-kinds.ts';

export const MAX_FOUND = 100;
export const MAX_QUERY_LENGTH = 40;

export const foundMarketSchema = z.object({
  /** The name on screen and in saved predictions: BTC for one of the ten, LINK/USDT for another. */
  label: z.string(),
  /** For requests: the exchange that is read first, and the code. */
  exc: z.string(),
  sym: z.string(),
  base: z.string(),
  quote: z.string(),
  /** The coin's name; empty when unknown. */
  name: z.string(),
  kind: z.enum(LISTING_KINDS),
  status: z.enum(LISTING_STATUSES),
  exchanges: z.array(z.string()),
  tickSize: z.number().check(z.positive()),
  /** Its order book on the live socket; null: none is published. */
  bookProductId: z._default(z.nullable(z.string()), null),
  /** Epoch seconds; null when unknown. */
  listedAtS: z.nullable(z.number()),
  /** Listed less than thirty days ago. */
  isNew: z.boolean(),
});
export type FoundMarket = z.infer<typeof foundMarketSchema>;

export const foundMarketsSchema = z.object({ markets: z.array(foundMarketSchema) });

export function symbolOfFound(found: FoundMarket): MarketSymbol {
  return SYMBOLS.find(({ sym }) => sym === found.sym) ?? cataloguedSymbol(found);
}
