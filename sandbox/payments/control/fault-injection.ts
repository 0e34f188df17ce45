/** Wraps the API's listener: injects faults, records calls, and allows an idempotency key one call at a time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PaymentFaults } from './faults.ts';

export interface SeenCall {
  /** Counts from 1 over all calls; old ones are dropped. */
  number: number;
  method: string;
  path: string;
  idempotency_key: string | null;
  is_replayed: boolean;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export type FailingCalls = WeakSet<IncomingMessage>;

const MAX_SEEN = 2000;
const IN_USE = { type: 'idempotency_error', code: 'idempotency_key_in_use' } as const;
const ERRORS = {
  http_503: { status: 503, type: 'api_error', message: 'The service is unavailable.' },
  http_429: { status: 429, type: 'invalid_request_error', message: 'Too many requests.', code: 'rate_limit' },
  http_409: { status: 409, ...IN_USE, message: inUseMessage('unknown') },
} as const;

/** Marks the newest call with this key as answered from an earlier one. */
export function markReplayed(seen: readonly SeenCall[], idempotencyKey: string): void {
  const call = seen.findLast(({ idempotency_key }) => idempotency_key === idempotencyKey);
  if (call !== undefined) call.is_replayed = true;
}

export interface FaultInjectionOptions {
  faults: PaymentFaults;
  /** Filled here, the newest last. */
  seen: SeenCall[];
  failing: FailingCalls;
  /** True for calls with the control's token: they neither get a fault nor use one up. */
  isSpared(request: IncomingMessage): boolean;
}

export function withFaults(listener: Listener, { faults, seen, failing, isSpared }: FaultInjectionOptions): Listener {
  const inFlight = new Set<string>();
  let count = 0;
  return async (request, response) => {
    const method = request.method ?? 'GET';
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const header = request.headers['idempotency-key'];
    const key = method === 'POST' && typeof header === 'string' ? header : null;
    count += 1;
    seen.push({ number: count, method, path, idempotency_key: key, is_replayed: false });
    if (seen.length > MAX_SEEN) seen.shift();
    if (key !== null) {
      if (inFlight.has(key)) return sendError(response, { status: 409, ...IN_USE, message: inUseMessage(key) });
      inFlight.add(key);
      const free = () => void inFlight.delete(key);
      response.once('finish', free);
      response.once('close', free);
    }
    const fault = isSpared(request) ? null : faults.take(method, path);
    switch (fault?.kind) {
      case undefined:
        return listener(request, response);
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, fault?.ms ?? 1000));
        return listener(request, response);
      case 'timeout':
        // No answer: the client's timeout ends it.
        return;
      case 'reset_before':
        return void request.socket.destroy();
      case 'reset_after':
        // The work is done before the first byte would be sent.
        response.writeHead = () => {
          request.socket.destroy();
          return response;
        };
        return listener(request, response);
      case 'late':
        endLater(response, fault?.ms ?? 1000);
        return listener(request, response);
      case 'http_500':
        failing.add(request);
        return listener(request, response);
      default:
        return sendError(response, ERRORS[fault?.kind ?? 'http_503']);
    }
  };
}

/** The API sends an answer whole, when it ends it. */
function endLater(response: ServerResponse, waitMs: number): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    setTimeout(() => end(...args), waitMs);
    return response;
  }) as ServerResponse['end'];
}

function sendError(response: ServerResponse, { status, ...error }: { status: number; type: string; message: string }) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

function inUseMessage(key: string): string {
  return `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
}
