/** Set by a test, or over HTTP with fault control. rest-faults.ts applies them, market/lines.ts for streams, open-products.ts for listings. */
import * as z from 'zod/mini';

/** Replacements for cells of rows and levels. */
export const BAD_VALUES = ['NaN', 'null', 'empty', 'negative', '1e400'] as const;
export type BadValue = (typeof BAD_VALUES)[number];

const name = z.string().check(z.minLength(1), z.maxLength(200));
const limits = {
  /** The service, as in its base address: `binance`, `coinbase`, `coingecko`, `youtube`, `news` ... */
  dialect: name,
  /** Ends after this many requests or messages; absent: not by count. */
  count: z.optional(z.int().check(z.positive())),
  /** Ends after this many milliseconds of real time; absent: not by time. */
  forMs: z.optional(z.int().check(z.positive())),
  /** For `values`; absent: NaN. */
  value: z.optional(z.enum(BAD_VALUES)),
  /** Only requests that name it in path or query, and messages about it. As the service writes it: BTC-USD, BTCUSDT. */
  product: z.optional(name),
};

const restFaultSchema = z.strictObject({
  part: z.literal('rest'),
  ...limits,
  /** Start of the path, without the base address: `/fapi/v1/klines`. */
  path: z.optional(name),
  /**
   * disorder: rows swapped and some repeated. refusal: the connection is cut. stall: no answer. slow: after `delayMs`.
   * empty: 200 and no content. hostile: titles, descriptions and names that try injections.
   */
  what: z.enum(['status', 'html', 'cut-off', 'stall', 'slow', 'empty', 'values', 'disorder', 'hostile', 'refusal']),
  /** For `status`; absent: 500. */
  status: z.optional(z.int().check(z.gte(400), z.lte(599))),
  retryAfterS: z.optional(z.int().check(z.nonnegative())),
  /** For `slow`; absent: 3000. */
  delayMs: z.optional(z.int().check(z.positive(), z.lte(60_000))),
});

const streamFaultSchema = z.strictObject({
  part: z.literal('stream'),
  ...limits,
  /**
   * gap: messages are lost, with their sequence numbers. crossed: a bid above the best ask (books only). stall: no
   * messages, while TCP stays connected. disorder: a message comes after the next one. refusal: of subscriptions.
   * close: the socket is cut. broken: half a frame. stranger: each message is repeated for a product that was not
   * subscribed to. skew: event times are wrong by `skewMs`.
   */
  what: z.enum(['gap', 'crossed', 'stall', 'values', 'disorder', 'refusal', 'close', 'broken', 'stranger', 'skew']),
  /** Only messages whose text contains this: `"x":true`. */
  containing: z.optional(name),
  skewMs: z.optional(z.int()),
  /** For `stall`: true still answers pings. Absent: false. */
  hasPongs: z.optional(z.boolean()),
});

/** The venue delists or halts one of the generated products, from the minute in which the fault begins. */
const listingFaultSchema = z.strictObject({
  part: z.literal('listing'),
  ...limits,
  /** As the venue writes it. */
  product: name,
  what: z.enum(['delisted', 'halted']),
});

export const faultSchema = z.discriminatedUnion('part', [restFaultSchema, streamFaultSchema, listingFaultSchema]);
export type ListingFault = z.output<typeof listingFaultSchema>;
export type RestFault = z.output<typeof restFaultSchema>;
export type StreamFault = z.output<typeof streamFaultSchema>;
export type Fault = RestFault | StreamFault | ListingFault;
export type StreamFaultKind = StreamFault['what'];

export interface Faults {
  list(): readonly Fault[];
  add(...faults: readonly Fault[]): void;
  clear(): void;
  /** The first fault for this request; one of its count is used up. @param target  path and query */
  strikeRequest(dialect: string, target: string): RestFault | null;
  /** The same for a message of a stream. @param text  the message, for faults by content */
  strikeMessage(what: StreamFaultKind, dialect: string, productId: string | null, text?: string): StreamFault | null;
  /** Of a product that the venue has delisted or halted; the same object for as long as the fault lasts. */
  listingFault(dialect: string, productId: string): ListingEnd | null;
  /** Whether the dialect has any stream fault: a cheap check before the arguments of the others are prepared. */
  hasStreamFaults(dialect: string): boolean;
}

export interface ListingEnd {
  fault: ListingFault;
  /** When the fault was added, by the market's clock. */
  sinceMs: number;
}

export const NO_FAULTS: Faults = Object.freeze({ ...openFaults(), add: () => {} });

interface Running {
  fault: Fault;
  left: number;
  untilMs: number;
  end: ListingEnd | null;
}

/** @param marketMs  the market's time, for the moment at which a product ends */
export function openFaults(marketMs: () => number = () => 0): Faults {
  let running: Running[] = [];

  function alive(): Running[] {
    if (running.length > 0) running = running.filter(({ left, untilMs }) => left > 0 && performance.now() < untilMs);
    return running;
  }

  function spend<F extends Fault>(matches: (fault: Fault) => fault is F): F | null {
    for (const entry of alive()) {
      if (!matches(entry.fault)) continue;
      entry.left -= 1;
      return entry.fault;
    }
    return null;
  }

  return {
    list: () => alive().map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, count: left } : { ...fault })),
    add(...faults) {
      for (const fault of faults) {
        const untilMs = performance.now() + (fault.forMs ?? Number.POSITIVE_INFINITY);
        const end = fault.part === 'listing' ? { fault, sinceMs: marketMs() } : null;
        running.push({ fault, left: fault.count ?? Number.POSITIVE_INFINITY, untilMs, end });
      }
    },
    clear() {
      running = [];
    },
    strikeRequest: (dialect, target) =>
      spend((fault): fault is RestFault => {
        if (fault.part !== 'rest' || fault.dialect !== dialect) return false;
        return target.startsWith(fault.path ?? '') && target.includes(fault.product ?? '');
      }),
    strikeMessage: (what, dialect, productId, text = '') =>
      spend((fault): fault is StreamFault => {
        if (fault.part !== 'stream' || fault.dialect !== dialect || fault.what !== what) return false;
        const isAbout = fault.product === undefined || fault.product === productId;
        return isAbout && text.includes(fault.containing ?? '');
      }),
    listingFault(dialect, productId) {
      const isAbout = ({ fault }: ListingEnd) => fault.dialect === dialect && fault.product === productId;
      return alive().find(({ end }) => end !== null && isAbout(end))?.end ?? null;
    },
    hasStreamFaults: (dialect) => alive().some(({ fault }) => fault.part === 'stream' && fault.dialect === dialect),
  };
}
