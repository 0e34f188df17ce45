/** The payment provider's SDK: its only home on the server. See docs/decisions/030-billing.md. */
import Stripe from 'stripe';
import type { PaymentsSource } from './payments-source.ts';

export type { Stripe } from 'stripe';

/** A web request waits for the answer: the SDK's own 80 s are too long. */
const TIMEOUT_MS = 8000;
const RETRIES = 2;

export function openStripe(source: Pick<PaymentsSource, 'secretKey' | 'api'>): Stripe {
  const at = source.api === null ? {} : { ...source.api, protocol: 'http' as const };
  return new Stripe(source.secretKey, { ...at, timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false });
}
