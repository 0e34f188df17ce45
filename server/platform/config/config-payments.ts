import * as z from 'zod/mini';
import { DEFAULT_PRICE_IDS } from '#domain/billing/plans.ts';
import { type Refuse, readEntries } from './setting-values.ts';

const text = z.string().check(z.minLength(1));

export const PAYMENT_FIELDS = {
  /** auto: the provider if its keys are set, otherwise the sandbox on a local-only server; off: nothing is sold. */
  PAYMENTS: z._default(z.enum(['auto', 'sandbox', 'off']), 'auto'),
  STRIPE_SECRET_KEY: z.optional(text),
  /** One secret, or two separated by a comma during rotation. */
  STRIPE_WEBHOOK_SECRET: z.optional(text),
  /** `bobcat=<price id>,lion=<price id>`. */
  STRIPE_PRICES: z.optional(z.string()),
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
  priceIds: { bobcat: string; lion: string };
}

export interface PaymentsAround {
  publicUrl: string | undefined;
  /** Undefined for the provider's own address. */
  stripeUrl: string | undefined;
}

type Fields = z.infer<z.ZodMiniObject<typeof PAYMENT_FIELDS>>;

/** @param refuse called with a message that holds no secret */
export function toPaymentsConfig(e: Fields, around: PaymentsAround, refuse: Refuse): PaymentsConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = e;
  const choice = e.PAYMENTS;
  const entries = readEntries(e.STRIPE_PRICES, 'STRIPE_PRICES', ['bobcat', 'lion'], refuse);
  const priceIds = { ...DEFAULT_PRICE_IDS, ...entries };
  if (secretKey === undefined && webhookSecret === undefined) return { choice, keys: null, priceIds };
  if (secretKey === undefined || webhookSecret === undefined)
    return refuse(
      `STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together; ${secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET'} is missing.`,
    );
  const mode = modeOf(secretKey);
  if (mode === null) return refuse('STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.');
  const webhookSecrets = webhookSecret.split(',').map((one) => one.trim());
  if (webhookSecrets.length > 2 || !webhookSecrets.every((one) => /^whsec_\S+$/.test(one)))
    refuse('STRIPE_WEBHOOK_SECRET must be one or two secrets that begin with whsec_, separated by a comma.');
  if (mode === 'live' && around.publicUrl?.startsWith('https://') !== true)
    refuse('Real payments (a live STRIPE_SECRET_KEY) need a PUBLIC_URL that begins with https://.');
  if (!areOwnPrices(priceIds))
    refuse(
      'STRIPE_SECRET_KEY also needs STRIPE_PRICES, two prices from the same account: bobcat=price_...,lion=price_...',
    );
  return { choice, keys: { mode, secretKey, webhookSecrets, api: apiOf(around.stripeUrl, refuse) }, priceIds };
}

/** The sandbox's price ids exist in no account of the provider. */
function areOwnPrices({ bobcat, lion }: PaymentsConfig['priceIds']): boolean {
  const isOwn = bobcat !== DEFAULT_PRICE_IDS.bobcat && lion !== DEFAULT_PRICE_IDS.lion;
  return isOwn && bobcat !== lion && bobcat !== '' && lion !== '';
}

function modeOf(secretKey: string): 'test' | 'live' | null {
  const match = /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey);
  return match?.[1] === 'test' ? 'test' : match?.[1] === 'live' ? 'live' : null;
}

function apiOf(url: string | undefined, refuse: Refuse): PaymentKeys['api'] {
  if (url === undefined) return null;
  const { protocol, hostname, port, origin, href } = new URL(url);
  if (`${origin}/` !== href) refuse('stripeUrl in ADDRESSES_FILE must be a URL without a path.');
  const isSafe = protocol === 'https:' || hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (!isSafe) refuse('stripeUrl in ADDRESSES_FILE must begin with https://; http:// is allowed only on this machine.');
  const isHttps = protocol === 'https:';
  const standardPort = isHttps ? 443 : 80;
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: port === '' ? standardPort : Number(port) };
}
