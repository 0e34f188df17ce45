/** A book source on a venue of the test's own. */
import { expect, vi } from 'vitest';
import type { BookSide } from '#domain/market/book/order-book.ts';
import type { OpenBooks } from '../../../../server/market/books/book-source.ts';
import { type BookFeedTiming, coinbaseExchange } from '../../../../server/market/books/coinbase-exchange.ts';
import type { SocketTiming } from '../../../../server/market/venues/transport/upstream-socket.ts';
import { createLogger } from '../../../../server/platform/telemetry/log.ts';
import { type StillClock, stillClock } from '../../../support/run/still-clock.ts';
import { type Answer, EXCHANGE, type FakeConnection, startFakeVenue } from './fake-venue.ts';

const log = createLogger('silent');

export const BIDS = [
  ['100', '1'],
  ['99', '2'],
];
export const ASKS = [
  ['101', '1'],
  ['102', '2'],
];
const QUICK = { watchMs: 10, refusedMs: 300, spacingMs: 30 } satisfies Partial<BookFeedTiming>;

export interface World {
  /** The source's: its limits pass only when a test advances it. */
  clock: StillClock;
  books: OpenBooks;
  connections: FakeConnection[];
  /** Aborts the source. */
  stop: AbortController;
  prices(side: BookSide, productId?: string): number[] | null;
  retries: number[];
}

/** @param greet  by default, unless requests are answered, each connection brings sound books of both products */
export async function startSource(
  undo: (() => unknown)[],
  options: {
    greet?: (connection: FakeConnection) => void;
    answer?: Answer;
    timing?: Partial<BookFeedTiming>;
    socketTiming?: Partial<SocketTiming>;
    autoPong?: boolean;
    refuseFirst?: number;
  } = {},
): Promise<World> {
  const greet = options.greet ?? ((connection) => options.answer === undefined && greetSoundly(connection));
  const venue = await startFakeVenue(greet, options);
  undo.push(() => venue.close());
  const clock = stillClock();
  const retries: number[] = [];
  const retryMs = (attempt: number): number => {
    retries.push(attempt);
    return 10;
  };
  const source = coinbaseExchange({
    wsUrl: venue.wsUrl,
    log,
    timing: { ...QUICK, ...options.timing },
    socketTiming: { retryMs, ...options.socketTiming },
  });
  const stop = new AbortController();
  undo.push(() => stop.abort());
  const books = source.open(['BTC-USD', 'ETH-USD'], stop.signal);
  return {
    clock,
    books,
    connections: venue.connections,
    stop,
    retries,
    prices: (side, productId = 'BTC-USD') =>
      books
        .product(productId)
        ?.soundBook?.top(side, 100)
        .map((level) => level.price) ?? null,
  };
}

export function greetSoundly(connection: FakeConnection): void {
  connection.send(EXCHANGE.snapshot('BTC-USD', BIDS, ASKS), EXCHANGE.snapshot('ETH-USD', BIDS, ASKS));
  connection.send(EXCHANGE.heartbeat('BTC-USD'), EXCHANGE.heartbeat('ETH-USD'));
}

/** A venue that takes all of a request or nothing: it refuses all for one refused product, and sends the book of any other. */
export function answersUnless(isRefused: (productId: string, connection: FakeConnection) => boolean): Answer {
  return (connection, { type, product_ids: ids }) => {
    if (type !== 'subscribe') return;
    const refused = ids.filter((id) => isRefused(id, connection));
    const reason = `${refused.join(', ')} is not a valid product`;
    if (refused.length > 0) connection.send({ type: 'error', message: 'Failed to subscribe', reason });
    else for (const id of ids) connection.send(EXCHANGE.snapshot(id, BIDS, ASKS), EXCHANGE.heartbeat(id));
  };
}

/** The source checks its books several times meanwhile. */
export const someChecks = () => new Promise((resolve) => setTimeout(resolve, 10 * QUICK.watchMs));

export const sound = (world: World) => vi.waitFor(() => expect(world.prices('bid', 'ETH-USD')).not.toBeNull());

export function connectionOf(world: World, index = 0): FakeConnection {
  const connection = world.connections[index];
  if (connection === undefined) throw new Error(`no connection ${index}`);
  return connection;
}
