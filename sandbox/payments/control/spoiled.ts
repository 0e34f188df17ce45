/** The API's listener with faults in it, and a memory of the calls. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';

export interface SeenCall {
  method: string;
  path: string;
  idempotency_key: string | null;
  is_replayed: boolean;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const MAX_SEEN = 2000;
const ERRORS = {
  http_500: { status: 500, type: 'api_error', message: 'An unknown error occurred.' },
  http_429: { status: 429, type: 'invalid_request_error', message: 'Too many requests.', code: 'rate_limit' },
  http_409: { status: 409, type: 'idempotency_error', message: 'There is a request in flight with this key.' },
} as const;

/** The newest call with this key was answered as an earlier one. */
export function markReplayed(seen: readonly SeenCall[], idempotencyKey: string): void {
  const call = seen.findLast(({ idempotency_key }) => idempotency_key === idempotencyKey);
  if (call !== undefined) call.is_replayed = true;
}

/** @param seen  filled, the newest last */
export function spoiled(listener: Listener, { faults, seen }: { faults: Faults; seen: SeenCall[] }): Listener {
  return async (request, response) => {
    const method = request.method ?? 'GET';
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const key = request.headers['idempotency-key'];
    const call = { method, path, idempotency_key: typeof key === 'string' ? key : null, is_replayed: false };
    seen.push(call);
    if (seen.length > MAX_SEEN) seen.shift();
    const fault = faults.take(method, path);
    switch (fault?.kind) {
      case undefined:
        return listener(request, response);
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, fault?.ms ?? 1000));
        return listener(request, response);
      case 'timeout':
        // Never answered: the caller hangs up.
        return;
      case 'reset_before':
        return void request.socket.destroy();
      case 'reset_after':
        // The work is done before the first byte would leave.
        response.writeHead = () => {
          request.socket.destroy();
          return response;
        };
        return listener(request, response);
      default: {
        const { status, ...error } = ERRORS[fault?.kind ?? 'http_500'];
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      }
    }
  };
}
