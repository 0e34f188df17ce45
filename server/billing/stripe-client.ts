/** The payment provider's SDK: its only home on the server. See docs/decisions/030-billing.md. */
import Stripe from 'stripe';
import type { PaymentsSource } from './payments-source.ts';

export type { Stripe } from 'stripe';

/** A web request waits for the answer: the SDK's own 80 s are too long. */
const TIMEOUT_MS = 8000;
const RETRIES = 2;

export function openStripe(source: Pick<PaymentsSource, 'secretKey' | 'api'>): Stripe {
  const at = source.api ?? {};
  return new Stripe(source.secretKey, { ...at, timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false });
}

/** What may be told of a call that went wrong: never its message, which may quote a key. */
export interface ProviderFacts {
  /** `StripeCardError`, `StripeConnectionError`, ... */
  type: string;
  /** `resource_missing`, `card_declined`, ... */
  code: string | null;
  declineCode: string | null;
  statusCode: number | null;
  requestId: string | null;
}

/** Null for an error that is not the SDK's. */
export function factsOf(error: unknown): ProviderFacts | null {
  if (!(error instanceof Stripe.errors.StripeError)) return null;
  const { type, code, decline_code, statusCode, requestId } = error;
  return {
    type,
    code: code ?? null,
    declineCode: decline_code ?? null,
    statusCode: statusCode ?? null,
    requestId: requestId ?? null,
  };
}
