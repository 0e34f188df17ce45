/** One server on loopback for every outside market service. Candles: recordings where available, else simulated. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#domain/time/clock.ts';
import { answerFaultControl, CONTROL_PATH } from '../faults/fault-control.ts';
import { type Faults, openFaults } from '../faults/faults.ts';
import { sendBroken } from '../faults/rest-faults.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { sendAnswer } from '../rest-answer.ts';
import { type Dialect, refuseUpgrade } from './dialect.ts';
import { DIALECTS } from './dialects.ts';
import { type ListedSymbol, openSources } from './market-sources.ts';
import { marketTime } from './market-time.ts';
import { openSandboxProducts } from './products/open-products.ts';

type SandboxKind = 'replayed' | 'simulated';

export interface SandboxMarketOptions {
  clock: Clock;
  /** Folder of `SYMBOL-1m.csv.gz` files; null: everything is simulated. */
  dataDir: string | null;
  /** Market time passes this many times as fast as the clock. */
  speed: number;
  /** When market time equalled the clock, epoch milliseconds; absent or null: at the start. */
  sinceMs?: number | null | undefined;
  /** Another seed is another simulated market. */
  seed: string;
  /** Delay of lagging services behind the market, seconds; absent: none. */
  lagS?: number;
  /** Recorded candles before this are not played, epoch milliseconds; no effect on simulated symbols. */
  startMs: number | null;
  /** Whether a user views a price now; absent: always. */
  isWatched?: () => boolean;
  /** 0 or absent: any free port. */
  port?: number;
  log?: (line: string) => void;
  /** Opens `/control/faults`: for tests only. */
  hasFaultControl?: boolean;
}

export interface SandboxMarket {
  addresses: SandboxAddresses;
  clock: Clock;
  /** Injected faults; none at the start. */
  faults: Faults;
  /** Sets the same over HTTP; null without fault control. */
  faultControlUrl: string | null;
  kind: SandboxKind;
  /** By the product's `sym` (BTCUSDT.P, GC1! ...). @throws Error for any other */
  kindOf(sym: string): SandboxKind;
  /** When a replayed candle was recorded, epoch seconds; null when simulated or without a candle. */
  sourceTimeOf(sym: string, timeS: number): number | null;
  /** Cuts every streaming connection, as a failing network would. */
  cutStreams(): void;
  close(): Promise<void>;
}

/** @throws Error when the port is taken; unreadable recordings are logged and simulated */
export async function startSandboxMarket(options: SandboxMarketOptions): Promise<SandboxMarket> {
  const clock = marketTime(options.clock, options.speed, options.sinceMs ?? undefined);
  const { dataDir, seed, speed, startMs, lagS = 0, isWatched = () => true, log = () => {} } = options;
  const listing = await openSources({ dataDir, seed, speed, startMs, log, nowMs: clock.nowMs() });
  const faults = openFaults(clock.nowMs);
  const products = openSandboxProducts({ seed, clock, speed, faults });
  const hasControl = options.hasFaultControl === true;
  const dialects = new Map(
    DIALECTS.map((open) => open({ listing, products, clock, faults, seed, speed, lagS, isWatched })).map((d) => [
      d.name,
      d,
    ]),
  );
  const server = createServer((request, response) => {
    if (hasControl && request.url === CONTROL_PATH) void answerFaultControl(request, response, faults);
    else answer(request, response, dialects, faults);
  });
  server.on('upgrade', (request, socket, head) => {
    const { dialect, path } = addressed(request, dialects);
    request.url = path;
    if (dialect?.accept === undefined) refuseUpgrade(socket);
    else dialect.accept(request, socket, head);
  });
  const port = await listenOnLoopback(server, options.port);

  /** Null for a generated product: those are simulated, and need not be open. */
  function sourceOf(sym: string): ListedSymbol['source'] | null {
    // The four coins also trade against the dollar, at the same prices.
    const listed = listing.find(({ symbol }) => symbol.sym === sym || symbol.bookProductId?.replace('-', '') === sym);
    if (listed === undefined && !products.has(sym)) throw new Error(`The sandbox market has no symbol ${sym}.`);
    return listed?.source ?? null;
  }

  return {
    addresses: sandboxAddresses(port),
    clock,
    faults,
    faultControlUrl: hasControl ? `http://127.0.0.1:${port}${CONTROL_PATH}` : null,
    kind: listing.some((l) => l.source.kind === 'replayed') ? 'replayed' : 'simulated',
    kindOf: (sym) => sourceOf(sym)?.kind ?? 'simulated',
    sourceTimeOf: (sym, timeS) => sourceOf(sym)?.sourceTimeOf(timeS) ?? null,
    cutStreams() {
      for (const dialect of dialects.values()) dialect.cutAll?.();
    },
    async close() {
      products.close();
      await Promise.all([...dialects.values()].map((dialect) => dialect.close?.()));
      await closeServer(server);
    },
  };
}

function addressed(request: IncomingMessage, dialects: ReadonlyMap<string, Dialect>) {
  const url = request.url ?? '/';
  const end = url.slice(1).search(/[/?]/);
  const name = end < 0 ? url.slice(1) : url.slice(1, end + 1);
  const path = url.slice(name.length + 1);
  return { dialect: dialects.get(name), path: path.startsWith('/') ? path : `/${path}` };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  dialects: ReadonlyMap<string, Dialect>,
  faults: Faults,
): void {
  const { dialect, path } = addressed(request, dialects);
  const url = URL.parse(path, 'http://localhost');
  const { headers, method } = request;
  const respond = dialect?.answer?.bind(dialect);
  if (dialect === undefined || respond === undefined || url === null) {
    sendAnswer(response, { status: 404, body: { error: 'Not found' } });
    return;
  }
  if (method !== 'GET') {
    sendAnswer(response, { status: 405, body: { error: 'Method not allowed' } });
    return;
  }
  const whole = () => respond({ path: url.pathname, query: url.searchParams, headers });
  const fault = faults.strikeRequest(dialect.name, path);
  if (fault === null) sendAnswer(response, whole());
  else sendBroken(response, fault, whole);
}

export interface SandboxAddresses {
  binance: { restUrl: string; wsUrl: string };
  bybit: { restUrl: string; wsUrl: string };
  okx: { restUrl: string; wsUrl: string };
  coinbase: { restUrl: string; wsUrl: string };
  kraken: { restUrl: string };
  alpaca: { restUrl: string; wsUrl: string };
  databento: { restUrl: string };
  coingecko: { restUrl: string };
  coinmarketcap: { restUrl: string };
  fearGreed: { restUrl: string };
  calendarUrl: string;
}

export function sandboxAddresses(port: number): SandboxAddresses {
  const http = (name: string) => ({ restUrl: `http://127.0.0.1:${port}/${name}` });
  const both = (name: string) => ({ ...http(name), wsUrl: `ws://127.0.0.1:${port}/${name}` });
  return {
    binance: both('binance'),
    bybit: both('bybit'),
    okx: both('okx'),
    coinbase: both('coinbase'),
    kraken: http('kraken'),
    alpaca: both('alpaca'),
    databento: http('databento'),
    coingecko: http('coingecko'),
    coinmarketcap: http('coinmarketcap'),
    fearGreed: http('fear-greed'),
    calendarUrl: `http://127.0.0.1:${port}/calendar/ff_calendar_thisweek.json`,
  };
}
