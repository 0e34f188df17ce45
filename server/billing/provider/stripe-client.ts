import Stripe from 'stripe';
import { step } from '../../platform/telemetry/steps.ts';
import type { PaymentsSource } from './payments-source.ts';

/** A web request waits for the response, so the SDK's default of 80 s is too long. */
const TIMEOUT_MS = 8000;
const RETRIES = 2;

export function openStripe(source: Pick<PaymentsSource, 'secretKey' | 'api'>): Stripe {
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false };
  return new Stripe(source.secretKey, { ...source.api, ...options, httpClient: tracedHttp() });
}

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/** Records each try as a trace step, named by method and resource; names contain no ids. */
function tracedHttp(): HttpClient {
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
