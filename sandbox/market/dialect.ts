/** The protocol of one real service, under its own base address `/<name>`, with the real service's paths. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#domain/time/clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { RestAnswer } from '../rest-answer.ts';
import type { ListedSymbol } from './market-sources.ts';
import type { SandboxProducts } from './products/open-products.ts';

export interface DialectParts {
  listing: readonly ListedSymbol[];
  /** Generated products besides, opened while a client reads them. */
  products: SandboxProducts;
  clock: Clock;
  /**
   * Injected faults. The server applies them to the HTTP answers of every dialect. A streaming dialect sends everything
   * through `openLines(name, parts)` of lines.ts, takes its event times from `lines.eventMs(productId)` and checks
   * `line.refuses(productId)` before it accepts a subscription. No dialect reads faults here.
   */
  faults: Faults;
  /** Generates the book, trades and figures that candles do not contain. */
  seed: string;
  /** Market time passes this many times as fast as real time. */
  speed: number;
  /** Delay of lagging services behind the market, seconds. */
  lagS: number;
  /** False while no user views a price: streams then update rarely, so that an idle market costs little. */
  isWatched(): boolean;
}

export interface DialectRequest {
  /** Without base address and query: `/fapi/v1/time`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

export type DialectAnswer = RestAnswer;

export interface Dialect {
  /** First segment of its base address, and its name in fault settings: `binance`, `coinbase`, `coingecko` ... */
  readonly name: string;
  /** Absent: the service has no HTTP side here. Refuses unknown paths as the service does. */
  answer?(request: DialectRequest): DialectAnswer;
  /** Takes over an upgrade whose `url` no longer has the base address; absent: the service has no streams. */
  accept?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts every connection without a close frame. */
  cutAll?(): void;
  close?(): Promise<void>;
}

export type OpenDialect = (parts: DialectParts) => Dialect;

/** Ends an upgrade to an unknown path. */
export function refuseUpgrade(socket: Duplex, status = '404 Not Found'): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
