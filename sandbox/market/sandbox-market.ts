/**
 * The sandbox market: a venue on loopback that speaks Binance USD-M (one-minute klines, REST and stream) for all ten
 * symbols, from recordings where there are some, else simulated. Shares, gold, dollar index and oil are stand-ins
 * under ids of ours (MSFT, GC1 ...): the real Binance has no such products.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#domain/time/clock.ts';
import { answerRest } from './kline-rest.ts';
import { openKlineStreams } from './kline-stream.ts';
import { type MarketFaults, NO_FAULTS } from './market-faults.ts';
import { type ListedSymbol, openSources } from './market-sources.ts';
import { marketTime } from './market-time.ts';

type SandboxKind = 'replayed' | 'simulated';

export interface SandboxMarketOptions {
  clock: Clock;
  /** Folder of `SYMBOL-1m.csv.gz` files; null: everything is simulated. */
  dataDir: string | null;
  /** Market time passes this many times as fast as the clock. */
  speed: number;
  /** Another seed is another simulated market. */
  seed: string;
  /** Recorded candles before this are not played, epoch milliseconds; no effect on simulated symbols. */
  startMs: number | null;
  /** 0 or absent: any free port. */
  port?: number;
  log?: (line: string) => void;
  faults?: MarketFaults;
}

export interface SandboxMarket {
  /** Base addresses, without a slash at the end. */
  restUrl: string;
  wsUrl: string;
  /** 'replayed' when at least one symbol is. */
  kind: SandboxKind;
  /** By the product's `sym` (BTCUSDT.P, GC1! ...). @throws Error for any other */
  kindOf(sym: string): SandboxKind;
  /** When a replayed candle was recorded, epoch seconds; null when simulated or without a candle. */
  sourceTimeOf(sym: string, timeS: number): number | null;
  /** Cuts every streaming connection, as a failing network would. */
  cutStreams(): void;
  close(): Promise<void>;
}

/** @throws Error when the port is taken; recordings that cannot be read are told to `log` and simulated */
export async function startSandboxMarket(options: SandboxMarketOptions): Promise<SandboxMarket> {
  const clock = marketTime(options.clock, options.speed);
  const { dataDir, seed, startMs, log = () => {} } = options;
  const listing = await openSources({ dataDir, seed, startMs, log, nowMs: clock.nowMs() });
  const byProduct = new Map(listing.map((listed) => [listed.productId, listed]));
  const streams = openKlineStreams(listing, clock, options.faults ?? NO_FAULTS);
  const server = createServer((request, response) => answer(request, response, byProduct, clock));
  server.on('upgrade', (request, socket, head) => streams.accept(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sandbox market has no port.');

  function sourceOf(sym: string): ListedSymbol['source'] {
    const listed = listing.find((l) => l.symbol.sym === sym);
    if (listed === undefined) throw new Error(`The sandbox market has no symbol ${sym}.`);
    return listed.source;
  }

  return {
    restUrl: `http://127.0.0.1:${address.port}`,
    wsUrl: `ws://127.0.0.1:${address.port}`,
    kind: listing.some((l) => l.source.kind === 'replayed') ? 'replayed' : 'simulated',
    kindOf: (sym) => sourceOf(sym).kind,
    sourceTimeOf: (sym, timeS) => sourceOf(sym).sourceTimeOf(timeS),
    cutStreams: () => streams.cutAll(),
    async close() {
      await streams.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  listing: ReadonlyMap<string, ListedSymbol>,
  clock: Clock,
): void {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  const { status, body, weight } =
    request.method === 'GET' && url !== null
      ? answerRest(url.pathname, url.searchParams, listing, clock.nowMs())
      : { status: 405, body: { code: -5000, msg: 'Method is invalid' }, weight: 0 };
  response.writeHead(status, {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    'x-request-weight': String(weight),
  });
  response.end(JSON.stringify(body));
}
