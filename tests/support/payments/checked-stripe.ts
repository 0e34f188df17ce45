/** The provider's SDK connected to the payment sandbox, with a check of every answer. */
import Stripe from 'stripe';
import { providerSchema } from './provider-schema.ts';
import { answerFaults } from './shape-faults.ts';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/**
 * An answer that differs from the SDK's declarations fails with `StripeAPIError`, whose message says where. The first
 * client of a process takes seconds: make it in a hook.
 */
export function checkedStripe(port: number, key: string, options: Stripe.StripeConfig = {}): Stripe {
  // Reads the declarations now rather than in the first call.
  providerSchema();
  return new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    httpClient: checkedHttp(Stripe.createNodeHttpClient()),
    ...options,
  });
}

function checkedHttp(http: HttpClient): HttpClient {
  return {
    getClientName: () => http.getClientName(),
    async makeRequest(...request) {
      const [, , path, method] = request;
      const response = await http.makeRequest(...request);
      const toJSON = response.toJSON.bind(response);
      response.toJSON = async () => {
        const answer: unknown = await toJSON();
        const faults = answerFaults(method, path.split('?')[0] ?? path, answer);
        if (faults.length === 0) return answer;
        // The SDK recognises an error by this field and passes its message on.
        return {
          error: { type: 'api_error', message: [`${method} ${path} is answered wrongly:`, ...faults].join('\n') },
        };
      };
      return response;
    },
  };
}
