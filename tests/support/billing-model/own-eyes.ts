/** The model's own client of the provider. It bypasses injected faults, meant for the product, and uses none up. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import * as z from 'zod/mini';

const controlSchema = z.object({ url: z.string(), token: z.string() });
const keysSchema = z.object({ secretKey: z.string() });

/** @param dataDir  of the server whose payment sandbox is read */
export function ownEyes(dataDir: string): Stripe {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const { url, token } = controlSchema.parse(read('payments-control.json'));
  const { secretKey } = keysSchema.parse(read('payments-keys.json'));
  const http = Stripe.createNodeHttpClient();
  return new Stripe(secretKey, {
    host: '127.0.0.1',
    port: new URL(url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    httpClient: {
      getClientName: () => http.getClientName(),
      makeRequest: (host, port, path, method, headers, ...rest) =>
        http.makeRequest(host, port, path, method, { ...headers, 'x-standin-token': token }, ...rest),
    },
  });
}
