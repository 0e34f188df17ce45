/** GET /config.json: what the browser may know of the server's settings. No secret ever stands here. */
import * as z from 'zod/mini';
import { MARKET_KINDS } from '../market/symbols.ts';

export const publicConfigSchema = z.object({
  supabaseUrl: z.string(),
  supabaseAnonKey: z.string(),
  market: z.object({ kind: z.enum(MARKET_KINDS), detail: z.string() }),
  payments: z.enum(['live', 'sandbox', 'none']),
  /** True when the demo accounts were seeded. */
  demo: z.boolean(),
  /** Price id -> plan, so that the page can name a plan. */
  prices: z.object({ bobcat: z.string(), lion: z.string() }),
  /** Added to the browser's clock in tests of sessions and grace; 0 otherwise. */
  clockOffsetMs: z.number(),
  version: z.string(),
});
export type PublicConfig = z.infer<typeof publicConfigSchema>;
