/**
 * Requests products from a venue: all in one request, or one by one after a refusal, because the venue accepts a whole
 * request or none of it. A product refused alone affects only itself and is retried less and less often.
 */

export interface ProductRequestTiming {
  /** Between two single requests: venues count messages per second. */
  spacingMs: number;
  /** A refused product is requested again after this long; the wait doubles with each further refusal. */
  refusedMs: number;
}

export interface ProductRequestOptions {
  productIds: readonly string[];
  textFor(productIds: readonly string[]): string;
  send(text: string): void;
  /** No product is served: the connection is useless. */
  onAllRefused(): void;
  timing: ProductRequestTiming;
}

export interface ProductRequests {
  greeting(): readonly string[];
  lost(): void;
  /** @param message  the venue's; it may name the product */
  refuse(message: string): void;
  serve(productId: string): void;
  isRefused(productId: string): boolean;
  /** True when a refusal now concerns a single product. */
  readonly isRequestingOne: boolean;
}

const MAX_REFUSED_MS = 300_000;

/** The given time, doubled after each further refusal, at most five minutes. */
export function refusedDelayMs(refusedMs: number, times: number): number {
  return Math.min(MAX_REFUSED_MS, refusedMs * 2 ** Math.min(10, times));
}

export function openProductRequests(options: ProductRequestOptions): ProductRequests {
  const { productIds, textFor, send, onAllRefused, timing } = options;
  const refused = new Map<string, { times: number; retryAtMs: number }>();
  let isOneByOne = false;
  /** To be requested one by one on this connection. */
  let waiting: readonly string[] = [];
  /** Requested last and not served yet. */
  let requested: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const wanted = () => productIds.filter((id) => !refused.has(id));

  function scheduleNext(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(requestNext, ms).unref();
  }

  function requestNext(): void {
    const nowMs = performance.now();
    const [next = nextRefused(nowMs), ...others] = waiting;
    waiting = others;
    requested = next === undefined ? [] : [next];
    if (next !== undefined) {
      send(textFor(requested));
      scheduleNext(timing.spacingMs);
      return;
    }
    isOneByOne = false;
    const retryAtMs = Math.min(...[...refused.values()].map((one) => one.retryAtMs));
    if (refused.size > 0) scheduleNext(Math.max(timing.spacingMs, retryAtMs - nowMs));
  }

  function nextRefused(nowMs: number): string | undefined {
    for (const [id, one] of refused) {
      if (one.retryAtMs > nowMs) continue;
      one.times += 1;
      one.retryAtMs = nowMs + refusedDelayMs(timing.refusedMs, one.times);
      return id;
    }
    return undefined;
  }

  return {
    greeting() {
      if (refused.size === productIds.length) {
        refused.clear();
        isOneByOne = false;
      }
      const all = wanted();
      requested = isOneByOne ? all.slice(0, 1) : all;
      waiting = all.slice(requested.length);
      scheduleNext(timing.spacingMs);
      return [textFor(requested)];
    },
    lost() {
      clearTimeout(timer);
      requested = [];
    },
    refuse(message) {
      const [one] = requested;
      if (one !== undefined && requested.length === 1) {
        const id = productIds.find((productId) => message.includes(productId)) ?? one;
        if (!refused.has(id))
          refused.set(id, { times: 0, retryAtMs: performance.now() + refusedDelayMs(timing.refusedMs, 0) });
        if (refused.size === productIds.length) onAllRefused();
      } else if (!isOneByOne) {
        isOneByOne = true;
        requested = [];
        waiting = wanted();
        scheduleNext(timing.spacingMs);
      }
    },
    serve(productId) {
      refused.delete(productId);
      requested = requested.filter((id) => id !== productId);
    },
    isRefused: (productId) => refused.has(productId),
    get isRequestingOne() {
      return requested.length === 1;
    },
  };
}
