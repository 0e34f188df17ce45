/**
 * Asks a venue for products: for all of them in one request, and for each by itself where it refuses that, because it
 * takes all of a request or nothing. A product that is refused alone costs only itself, and is asked for ever less often.
 */

export interface ProductRequestTiming {
  /** Between two products asked for by themselves: venues count messages a second, and each product may take three. */
  apartMs: number;
  /** What is refused is asked for again after this long, and after twice as long each time it is refused again. */
  refusedMs: number;
}

export interface ProductRequestOptions {
  productIds: readonly string[];
  textsFor(productIds: readonly string[]): readonly string[];
  /** On the connection that is open. */
  say(text: string): void;
  /** Not one product is served: the connection is of no use. */
  onAllRefused(): void;
  timing: ProductRequestTiming;
}

export interface ProductRequests {
  /** What is said first on a new connection. */
  greeting(): readonly string[];
  /** The connection is gone. */
  lost(): void;
  /** The same once more, in other words. */
  again(): void;
  /** @param message  the venue's; it may name the product */
  refuse(message: string): void;
  /** Its book has come. */
  serve(productId: string): void;
  isRefused(productId: string): boolean;
  /** A refusal that comes now is that of a single product. */
  readonly isAskingForOne: boolean;
}

const MAX_REFUSED_MS = 300_000;

/** After the given time, twice as long after each further refusal, five minutes at most. */
export function refusedDelayMs(refusedMs: number, times: number): number {
  return Math.min(MAX_REFUSED_MS, refusedMs * 2 ** Math.min(10, times));
}

export function openProductRequests(options: ProductRequestOptions): ProductRequests {
  const { productIds, textsFor, say, onAllRefused, timing } = options;
  const refused = new Map<string, { times: number; againAtMs: number }>();
  let isApart = false;
  /** To be asked for by themselves on this connection. */
  let waiting: readonly string[] = [];
  /** Asked for last and not served yet. */
  let asked: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const wanted = () => productIds.filter((id) => !refused.has(id));

  function turnIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(turn, ms).unref();
  }

  function turn(): void {
    const nowMs = performance.now();
    const [next = nextRefused(nowMs), ...others] = waiting;
    waiting = others;
    asked = next === undefined ? [] : [next];
    if (next !== undefined) {
      for (const text of textsFor(asked)) say(text);
      turnIn(timing.apartMs);
      return;
    }
    isApart = false;
    const againAtMs = Math.min(...[...refused.values()].map((one) => one.againAtMs));
    if (refused.size > 0) turnIn(Math.max(timing.apartMs, againAtMs - nowMs));
  }

  function nextRefused(nowMs: number): string | undefined {
    for (const [id, one] of refused) {
      if (one.againAtMs > nowMs) continue;
      one.times += 1;
      one.againAtMs = nowMs + refusedDelayMs(timing.refusedMs, one.times);
      return id;
    }
    return undefined;
  }

  return {
    greeting() {
      if (refused.size === productIds.length) {
        refused.clear();
        isApart = false;
      }
      const all = wanted();
      asked = isApart ? all.slice(0, 1) : all;
      waiting = all.slice(asked.length);
      turnIn(timing.apartMs);
      return textsFor(asked);
    },
    lost() {
      clearTimeout(timer);
      asked = [];
    },
    again() {
      // Whoever still waits to be asked for alone is asked in the other words anyway.
      const ids = asked.length > 0 || isApart ? asked : wanted();
      if (ids.length > 0) for (const text of textsFor(ids)) say(text);
    },
    refuse(message) {
      const [one] = asked;
      if (one !== undefined && asked.length === 1) {
        const id = productIds.find((productId) => message.includes(productId)) ?? one;
        if (!refused.has(id))
          refused.set(id, { times: 0, againAtMs: performance.now() + refusedDelayMs(timing.refusedMs, 0) });
        if (refused.size === productIds.length) onAllRefused();
      } else if (!isApart) {
        // A dialect with several requests is refused several times: the rest of it meets `isApart`.
        isApart = true;
        asked = [];
        waiting = wanted();
        turnIn(timing.apartMs);
      }
    },
    serve(productId) {
      refused.delete(productId);
      asked = asked.filter((id) => id !== productId);
    },
    isRefused: (productId) => refused.has(productId),
    get isAskingForOne() {
      return asked.length === 1;
    },
  };
}
