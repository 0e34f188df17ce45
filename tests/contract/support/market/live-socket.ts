/** A page of the live socket, as a test sees it: its messages, read by the page's own codec into the page's own book. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import {
  applyChanges,
  type FeedEvent,
  parseFeedMessage,
  type RelayChannel,
  requestText,
} from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';

export interface TestPage {
  socket: WebSocket;
  events: FeedEvent[];
  /** Texts as they came. */
  texts: string[];
  /** By product; stored as a page stores it. */
  books: Map<string, OrderBook>;
  /** Close code, once closed. */
  closeCode: number | null;
  request(type: 'subscribe' | 'unsubscribe', productIds: readonly string[], channels: readonly RelayChannel[]): void;
  of<K extends FeedEvent['kind']>(kind: K): Extract<FeedEvent, { kind: K }>[];
}

/** @throws Error with the status of a refused upgrade */
export async function openPage(url: string, headers: Record<string, string> = {}): Promise<TestPage> {
  const socket = new WebSocket(url, { headers });
  const page: TestPage = {
    socket,
    events: [],
    texts: [],
    books: new Map(),
    closeCode: null,
    request: (type, productIds, channels) => socket.send(requestText(type, productIds, channels)),
    of<K extends FeedEvent['kind']>(kind: K) {
      return page.events.filter((event): event is Extract<FeedEvent, { kind: K }> => event.kind === kind);
    },
  };
  socket.on('message', (data) => take(page, String(data)));
  socket.on('close', (code) => {
    page.closeCode = code;
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return page;
}

function take(page: TestPage, text: string): void {
  const event = parseFeedMessage(text);
  page.texts.push(text);
  page.events.push(event);
  if (event.kind === 'snapshot') {
    const book = new OrderBook();
    book.load(event.bids, event.asks);
    page.books.set(event.productId, book);
  }
  const book = event.kind === 'update' ? page.books.get(event.productId) : undefined;
  if (event.kind === 'update' && book !== undefined) applyChanges(book, event.changes);
}

/** On a free port of loopback. */
export async function listenAnywhere(server: Server = createServer()): Promise<{ server: Server; wsUrl: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
