/** The environment settings of payments. */
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

export const PAYMENT_FIELDS = {
  /** auto: the provider if its keys are set, otherwise the sandbox on a local-only server; off: nothing is sold. */
  PAYMENTS: z._default(z.enum(['auto', 'sandbox', 'off']), 'auto'),
  STRIPE_SECRET_KEY: z.optional(text),
  /** One secret, or two separated by a comma during rotation. */
  STRIPE_WEBHOOK_SECRET: z.optional(text),
  STRIPE_API_URL: z.optional(z.url({ protocol: /^https?$/ })),
};

export interface PaymentKeys {
  /** Derived from the prefix of the key. */
  mode: 'test' | 'live';
  secretKey: string;
  webhookSecrets: readonly string[];
  /** Null for the provider's own address. */
  api: { protocol: 'http' | 'https'; host: string; port: number } | null;
}

export interface PaymentsConfig {
  choice: 'auto' | 'sandbox' | 'off';
  keys: PaymentKeys | null;
}

/** Other settings that payments depend on. */
export interface PaymentsAround {
  publicUrl: string | undefined;
  /** Whether both price ids are set and differ. */
  hasPriceIds: boolean;
}

type Fields = z.infer<z.ZodMiniObject<typeof PAYMENT_FIELDS>>;

/**
 * @param refuse  called with a message that holds no secret when settings that belong together are incomplete or
 * invalid
 */
export function toPaymentsConfig(
  e: Fields,
  around: PaymentsAround,
  refuse: (sentence: string) => never,
): PaymentsConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = e;
  const choice = e.PAYMENTS;
  if (secretKey === undefined && webhookSecret === undefined) return { choice, keys: null };
  if (secretKey === undefined || webhookSecret === undefined)
    return refuse(
      `STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together; ${secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET'} is missing.`,
    );
  const mode = modeOf(secretKey);
  if (mode === null) return refuse('STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.');
  const webhookSecrets = webhookSecret.split(',').map((one) => one.trim());
  if (webhookSecrets.length > 2 || !webhookSecrets.every((one) => /^whsec_\S+$/.test(one)))
    refuse('STRIPE_WEBHOOK_SECRET must hold one or two secrets that begin with whsec_, apart by a comma.');
  if (mode === 'live' && around.publicUrl?.startsWith('https://') !== true)
    refuse('Real payments (a live STRIPE_SECRET_KEY) need a PUBLIC_URL that begins with https://.');
  if (!around.hasPriceIds)
    refuse('STRIPE_SECRET_KEY needs PRICE_ID_BOBCAT and PRICE_ID_LION too, two prices of the same account.');
  return { choice, keys: { mode, secretKey, webhookSecrets, api: apiOf(e.STRIPE_API_URL, refuse) } };
}

function modeOf(secretKey: string): 'test' | 'live' | null {
  const match = /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey);
  return match?.[1] === 'test' ? 'test' : match?.[1] === 'live' ? 'live' : null;
}

function apiOf(url: string | undefined, refuse: (sentence: string) => never): PaymentKeys['api'] {
  if (url === undefined) return null;
  const { protocol, hostname, port, origin, href } = new URL(url);
  if (`${origin}/` !== href) refuse('STRIPE_API_URL must be an address without a path.');
  const isSafe = protocol === 'https:' || hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (!isSafe) refuse('STRIPE_API_URL must begin with https://; http:// is for this machine alone.');
  const isHttps = protocol === 'https:';
  const standardPort = isHttps ? 443 : 80;
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: port === '' ? standardPort : Number(port) };
}
