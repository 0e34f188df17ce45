/** The provider's SDK, talking to the stand-in, with a look at everything that the stand-in answers. */
import Stripe from 'stripe';
import { answerFaults, prepareShapeChecks } from './shape-faults.ts';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/**
 * An answer that is not as the SDK declares it makes the call fail with `StripeAPIError`, whose message says where.
 * The first client of a process takes seconds: make it in a hook.
 *
 * @param options  of the SDK, on top of what leads to the stand-in
 */
export function checkedStripe(port: number, key: string, options: Stripe.StripeConfig = {}): Stripe {
  prepareShapeChecks();
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
        // The SDK tells an error by this field and hands its message on.
        return {
          error: { type: 'api_error', message: [`${method} ${path} is answered wrongly:`, ...faults].join('\n') },
        };
      };
      return response;
    },
  };
}
