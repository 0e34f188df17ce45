/**
 * The words of one real service, spoken by the sandbox market: what it answers over HTTP and what it streams. Each has a
 * base address of its own, `/<name>`, and sees paths as the real service would.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#domain/time/clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { RestAnswer } from '../rest-answer.ts';
import type { ListedSymbol } from './market-sources.ts';

export interface DialectParts {
  listing: readonly ListedSymbol[];
  /** Market time. */
  clock: Clock;
  /**
   * What goes wrong on purpose. HTTP answers are broken by the server for every dialect; a streaming dialect says
   * everything through `openLines(name, parts)` of lines.ts, takes its event times from `lines.eventMs(productId)` and
   * asks `line.refuses(productId)` before it takes a subscription. No dialect asks here itself.
   */
  faults: Faults;
  /** Book, trades and figures that no candle holds are made from it. */
  seed: string;
  /** How far the data of services that lag lie behind the market, seconds. */
  lagS: number;
  /** False while no person looks at a price: streams then move on only now and then, so that an idle market costs little. */
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
  /** Absent: the service has no HTTP side here. Unknown paths are refused in the service's own words. */
  answer?(request: DialectRequest): DialectAnswer;
  /** Takes over an upgrade, whose `url` has lost the base address; absent: the service streams nothing. */
  accept?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts every connection without a goodbye. */
  cutAll?(): void;
  close?(): Promise<void>;
}

export type OpenDialect = (parts: DialectParts) => Dialect;

/** Ends an upgrade that leads nowhere. */
export function refuseUpgrade(socket: Duplex, status = '404 Not Found'): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
