/** GET /config.json: what the browser may know of the server's settings. No secret ever stands here. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../forecast/models.ts';
import { MARKET_KINDS } from '../market/symbols.ts';

/** What the server can say of a model it has loaded, or could not load. */
export const modelStatusSchema = z.object({
  /** `disabled`: its files are missing, altered or unreadable. */
  state: z.enum(['ready', 'not-trained', 'disabled']),
  /** Null unless ready. */
  kind: z.nullable(z.literal('neural')),
  version: z.nullable(z.string()),
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;

const PROVIDER_KINDS = ['live', 'sandbox', 'off'] as const;

export const publicConfigSchema = z.object({
  supabaseUrl: z.string(),
  supabaseAnonKey: z.string(),
  market: z.object({
    kind: z.enum(MARKET_KINDS),
    detail: z.string(),
    /** Whose order book and ticker the live socket carries: `Coinbase Exchange`. */
    bookSource: z.string(),
  }),
  /** Where news and community counters come from: `simulated` is the sandbox. */
  community: z.enum(['live', 'simulated']),
  /** Every model, in the order of their names. */
  models: z.record(z.enum(MODEL_NAMES), modelStatusSchema),
  /** `sandbox`: our stand-in, no real money; `test`: the provider's own test mode; `none`: nothing can be bought. */
  payments: z.enum(['live', 'test', 'sandbox', 'none']),
  /** Where the payment script comes from, for a checkout that answers a session id alone. */
  paymentScript: z.nullable(z.string()),
  /** `mailbox`: no mail leaves the machine; outside production /dev/mailbox shows them. */
  mail: z.enum(['smtp', 'mailbox']),
  /** Who answers when somebody signs in through Google or GitHub: themselves, a stand-in of ours, nobody. */
  providers: z.object({ google: z.enum(PROVIDER_KINDS), github: z.enum(PROVIDER_KINDS) }),
  /** True when the demo accounts were seeded. */
  demo: z.boolean(),
  /** Of each plan its price id, and the plans of prices that are no longer sold, so that the page can name a plan. */
  prices: z.object({
    bobcat: z.string(),
    lion: z.string(),
    former: z.optional(z.record(z.string(), z.enum(['bobcat', 'lion']))),
  }),
  /** Added to the browser's clock in tests of sessions and grace; 0 otherwise. */
  clockOffsetMs: z.number(),
  version: z.string(),
});
export type PublicConfig = z.infer<typeof publicConfigSchema>;
