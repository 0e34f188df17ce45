/**
 * What may go wrong on purpose, so that tests see readers notice and recover: set by a test, or over HTTP where a sandbox
 * was started with fault control. Where they strike: rest-faults.ts, and market/lines.ts for streams.
 */
import * as z from 'zod/mini';

/** Cells of rows and levels become one of these. */
export const BAD_VALUES = ['NaN', 'null', 'empty', 'negative', '1e400'] as const;
export type BadValue = (typeof BAD_VALUES)[number];

const name = z.string().check(z.minLength(1), z.maxLength(200));
const limits = {
  /** Of the service, as in its base address: `binance`, `coinbase`, `coingecko`, `youtube`, `news` ... */
  dialect: name,
  /** Over after so many requests or messages; absent: not by count. */
  count: z.optional(z.int().check(z.positive())),
  /** Over after so many milliseconds of real time; absent: not by time. */
  forMs: z.optional(z.int().check(z.positive())),
  /** By `values`; absent: NaN. */
  value: z.optional(z.enum(BAD_VALUES)),
  /** Only requests that name it in path or query, only messages about it. As the service writes it: BTC-USD, BTCUSDT. */
  product: z.optional(name),
};

const restFaultSchema = z.strictObject({
  part: z.literal('rest'),
  ...limits,
  /** Start of the path, without the base address: `/fapi/v1/klines`. */
  path: z.optional(name),
  /**
   * disorder: rows swapped and some twice. refusal: the connection is cut. stall: no answer ever. slow: after `delayMs`.
   * empty: 200 and nothing. hostile: titles, descriptions and names that would like to be more than text.
   */
  what: z.enum(['status', 'html', 'cut-off', 'stall', 'slow', 'empty', 'values', 'disorder', 'hostile', 'refusal']),
  /** By `status`; absent: 500. */
  status: z.optional(z.int().check(z.gte(400), z.lte(599))),
  retryAfterS: z.optional(z.int().check(z.nonnegative())),
  /** By `slow`; absent: 3000. */
  delayMs: z.optional(z.int().check(z.positive(), z.lte(60_000))),
});

const streamFaultSchema = z.strictObject({
  part: z.literal('stream'),
  ...limits,
  /**
   * gap: messages are lost, their sequence numbers too. crossed: a bid above the best ask (books only). stall: nothing
   * is said, TCP lives on. disorder: a message comes after the next one. refusal: of subscriptions. close: the socket is
   * cut. broken: half a frame. stranger: each message comes again for a product nobody asked for. skew: event times are
   * wrong by `skewMs`.
   */
  what: z.enum(['gap', 'crossed', 'stall', 'values', 'disorder', 'refusal', 'close', 'broken', 'stranger', 'skew']),
  /** Only messages whose text holds this: `"x":true`. */
  containing: z.optional(name),
  skewMs: z.optional(z.int()),
  /** By `stall`: true answers pings all the same. Absent: false. */
  hasPongs: z.optional(z.boolean()),
});

export const faultSchema = z.discriminatedUnion('part', [restFaultSchema, streamFaultSchema]);
export type RestFault = z.output<typeof restFaultSchema>;
export type StreamFault = z.output<typeof streamFaultSchema>;
export type Fault = RestFault | StreamFault;
export type StreamFaultKind = StreamFault['what'];

export interface Faults {
  /** Those not over yet. */
  list(): readonly Fault[];
  add(...faults: readonly Fault[]): void;
  clear(): void;
  /** The first that strikes this request; one of its count is spent. @param target  path and query */
  strikeRequest(dialect: string, target: string): RestFault | null;
  /** The same for a message of a stream. @param text  the message, for faults by content */
  strikeMessage(what: StreamFaultKind, dialect: string, productId: string | null, text?: string): StreamFault | null;
  /** Whether any stream of the dialect is struck at all: asked before anything is made for the other questions. */
  hasStreamFaults(dialect: string): boolean;
}

/** For who opens a dialect alone and breaks nothing. */
export const NO_FAULTS: Faults = Object.freeze({ ...openFaults(), add: () => {} });

interface Running {
  fault: Fault;
  left: number;
  untilMs: number;
}

export function openFaults(): Faults {
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
        running.push({ fault, left: fault.count ?? Number.POSITIVE_INFINITY, untilMs });
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
    hasStreamFaults: (dialect) => alive().some(({ fault }) => fault.part === 'stream' && fault.dialect === dialect),
  };
}
