/** GET /config.json: the server settings that the browser may see. It never contains a secret. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../forecast/models.ts';
import { MARKET_KINDS } from '../market/symbols.ts';

/** The server's status of a model. */
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
    /** Source of the live socket's order book and ticker: `Coinbase Exchange`. */
    bookSource: z.string(),
  }),
  /** Source of news and community counters; `simulated` is the sandbox. */
  community: z.enum(['live', 'simulated']),
  /** Every model, in the order of MODEL_NAMES. */
  models: z.record(z.enum(MODEL_NAMES), modelStatusSchema),
  /** `sandbox`: our payment sandbox, no real money; `test`: the provider's test mode; `none`: nothing can be bought. */
  payments: z.enum(['live', 'test', 'sandbox', 'none']),
  /** URL of the payment script, for a checkout that returns only a session id. */
  paymentScript: z.nullable(z.string()),
  /** `mailbox`: no email leaves the machine; outside production, /dev/mailbox shows them. */
  mail: z.enum(['smtp', 'mailbox']),
  /** What handles sign-in through Google or GitHub: the provider itself, our sandbox, or nothing. */
  providers: z.object({ google: z.enum(PROVIDER_KINDS), github: z.enum(PROVIDER_KINDS) }),
  /** True when the demo accounts were seeded. */
  demo: z.boolean(),
  /** The price id of each plan, and the plans of prices no longer sold, so that the page can name any plan. */
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
