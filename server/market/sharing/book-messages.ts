import * as z from 'zod/mini';
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';

export const booksSubject = (prefix: string): string => `${prefix}.books`;
/** Followers that missed a message request full snapshots here. */
export const bookRequestsSubject = (prefix: string): string => `${prefix}.books-asked`;

/** Levels per side, as many as readers see. */
export const SHARED_LEVELS = 100;

const figure = z.nullable(z.number());
const level = z.tuple([z.number(), z.number()]);
const tickerSchema = z.object({
  kind: z.literal('ticker'),
  productId: z.string(),
  price: z.number(),
  open24h: figure,
  high24h: figure,
  low24h: figure,
  volume24h: figure,
  bestBid: figure,
  bestBidSize: figure,
  bestAsk: figure,
  bestAskSize: figure,
  lastSize: figure,
  side: z.nullable(z.enum(['buy', 'sell'])),
  sequence: z.number(),
  tradeId: z.number(),
  time: z.string(),
}) satisfies z.ZodMiniType<TickerEvent>;

const bookMessageSchema = z.object({
  term: z.int(),
  productId: z.string(),
  /** One more than the last of this product and term; any other number means a loss. */
  sequence: z.int(),
  isFresh: z.boolean(),
  silentMs: z.optional(z.number()),
  lastTradeId: z.optional(z.number()),
  /** Absent: unchanged. */
  ticker: z.optional(tickerSchema),
  /** A full snapshot; best first. */
  whole: z.optional(z.object({ bids: z.array(level), asks: z.array(level) })),
  /** New absolute sizes; zero removes a level. */
  changes: z.optional(z.array(z.tuple([z.enum(['bid', 'ask']), z.number(), z.number()]))),
});

export type BookMessage = z.infer<typeof bookMessageSchema>;

/** @returns null for a message that no leader of ours sends */
export function readBookMessage(message: unknown): BookMessage | null {
  const parsed = bookMessageSchema.safeParse(message);
  return parsed.success ? parsed.data : null;
}
