/** The payment provider's SDK: the only server file that constructs it. See docs/decisions/030-billing.md. */
import Stripe from 'stripe';
import { step } from '../../platform/telemetry/steps.ts';
import type { PaymentsSource } from './payments-source.ts';

export type { Stripe } from 'stripe';

/** A web request waits for the response, so the SDK's default of 80 s is too long. */
const TIMEOUT_MS = 8000;
const RETRIES = 2;

export function openStripe(source: Pick<PaymentsSource, 'secretKey' | 'api'>): Stripe {
  const at = source.api ?? {};
  const rules = { timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false };
  return new Stripe(source.secretKey, { ...at, ...rules, httpClient: steppedHttp() });
}

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/** Records each try as a trace step, named by method and resource; names contain no ids. */
function steppedHttp(): HttpClient {
  const http = Stripe.createNodeHttpClient();
  return {
    getClientName: () => http.getClientName(),
    makeRequest(host, port, path, method, ...rest) {
      const resource = /^\/v\d+\/([a-z_]{1,40})/.exec(path)?.[1] ?? 'other';
      const call = { kind: 'payment', name: `${method} ${resource}`, outcome: 'failed' };
      return step(call, async () => {
        const answer = await http.makeRequest(host, port, path, method, ...rest);
        call.outcome = `${Math.floor(answer.getStatusCode() / 100)}xx`;
        return answer;
      });
    },
  };
}

/** The facts of a failed call that may be logged: never its message, which may quote a key. */
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
