import { afterEach, expect, test, vi } from 'vitest';
import { OrderBook } from '#domain/market/book/order-book.ts';
import { type BookSource, sumOfCounters } from './book-source.ts';
import { openReadBooks } from './read-books.ts';

const ended = new AbortController();
const oneReader = (): number => 1;
afterEach(() => vi.useRealTimers());

function aVenue() {
  const open = new Set<string>();
  let connections = 0;
  const source: BookSource = {
    id: 'venue',
    attribution: 'Venue',
    open([id = ''], signal) {
      open.add(id);
      connections += 1;
      signal.addEventListener('abort', () => open.delete(id));
      return {
        product: () => ({ revision: 1, soundBook: new OrderBook(), ticker: null, isFresh: true }),
        counters: () => ({ ...sumOfCounters(), connections: 1 }),
      };
    },
  };
  return { source, open, connections: () => connections };
}

test('opens a book once for all readers, and closes it some time after the last', async () => {
  vi.useFakeTimers();
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, idleMs: 1000 });
  expect(books.product('LINK-USD')).toBeNull();

  expect([books.open('LINK-USD', oneReader), books.open('LINK-USD', oneReader)]).toEqual([true, true]);
  expect(books.product('LINK-USD')?.isFresh).toBe(true);
  books.keepOnly(new Set(['LINK-USD']));
  await vi.advanceTimersByTimeAsync(5000);
  expect([...venue.open]).toEqual(['LINK-USD']);

  books.keepOnly(new Set());
  await vi.advanceTimersByTimeAsync(500);
  expect([...venue.open]).toEqual(['LINK-USD']);
  await vi.advanceTimersByTimeAsync(1000);
  expect([...venue.open]).toEqual([]);
  expect([venue.connections(), books.counters().connections, books.product('LINK-USD')]).toEqual([1, 1, null]);
});

test('keeps a book open for a reader that comes back in time', async () => {
  vi.useFakeTimers();
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, idleMs: 1000 });
  books.open('LINK-USD', oneReader);
  books.keepOnly(new Set());
  await vi.advanceTimersByTimeAsync(500);
  books.open('LINK-USD', oneReader);

  await vi.advanceTimersByTimeAsync(5000);

  expect([[...venue.open], venue.connections()]).toEqual([['LINK-USD'], 1]);
});

test('opens a bounded number at a time, and closes unread ones first', () => {
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, maxBooks: 2 });

  expect(['A-USD', 'B-USD', 'C-USD'].map((id) => books.open(id, oneReader))).toEqual([true, true, false]);
  books.keepOnly(new Set(['B-USD']));
  expect(books.open('C-USD', oneReader)).toBe(true);

  expect([...venue.open]).toEqual(['B-USD', 'C-USD']);
});

test('closes every book when the server stops', () => {
  const venue = aVenue();
  const stopping = new AbortController();
  const books = openReadBooks({ source: venue.source, signal: stopping.signal });
  books.open('A-USD', oneReader);

  stopping.abort();

  expect([...venue.open]).toEqual([]);
  expect(books.open('B-USD', oneReader)).toBe(false);
});

test('lets the book that was held longest yield, after a minute, and opens it again when there is room', async () => {
  vi.useFakeTimers();
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, maxBooks: 2, idleMs: 1000 });
  const read = new Set(['A-USD', 'B-USD', 'C-USD']);
  books.open('A-USD', oneReader);
  await vi.advanceTimersByTimeAsync(1000);
  books.open('B-USD', oneReader);
  await vi.advanceTimersByTimeAsync(58_000);
  expect(books.open('C-USD', oneReader)).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(books.open('C-USD', oneReader)).toBe(true);
  expect([[...venue.open], books.product('A-USD')]).toEqual([['B-USD', 'C-USD'], null]);

  books.keepOnly(read);
  await vi.advanceTimersByTimeAsync(5000);
  expect([...venue.open]).toEqual(['B-USD', 'C-USD']);
  read.delete('B-USD');
  books.keepOnly(read);
  await vi.advanceTimersByTimeAsync(2000);
  expect([...venue.open]).toEqual(['C-USD', 'A-USD']);
});

test('lets the book with the fewest readers yield', async () => {
  vi.useFakeTimers();
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, maxBooks: 2 });
  for (const id of ['A-USD', 'B-USD']) books.open(id, oneReader);
  await vi.advanceTimersByTimeAsync(60_000);
  books.open('C-USD', (id) => (id === 'A-USD' ? 3 : 1));
  expect([...venue.open]).toEqual(['A-USD', 'C-USD']);
});

test('does not open a book again that no one reads any more', async () => {
  vi.useFakeTimers();
  const venue = aVenue();
  const books = openReadBooks({ source: venue.source, signal: ended.signal, maxBooks: 1, idleMs: 1000 });
  books.open('A-USD', oneReader);
  await vi.advanceTimersByTimeAsync(60_000);
  books.open('B-USD', oneReader);
  books.keepOnly(new Set());
  await vi.advanceTimersByTimeAsync(5000);
  expect([...venue.open]).toEqual([]);
});
