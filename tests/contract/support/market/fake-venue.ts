/** A Coinbase of a test's own, which says on each connection what the test wants. */
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

export type Rows = readonly (readonly [side: 'buy' | 'sell', price: unknown, size: unknown])[];

const TIME = '2025-11-12T15:00:00.000000Z';

/** Coinbase Exchange's messages. */
export const EXCHANGE = {
  snapshot: (product_id: string, bids: readonly unknown[], asks: readonly unknown[]) => ({
    type: 'snapshot',
    product_id,
    bids,
    asks,
  }),
  update: (product_id: string, changes: Rows, time = TIME) => ({ type: 'l2update', product_id, time, changes }),
  ticker: (product_id: string, best_bid: string, best_ask: string) => ({
    type: 'ticker',
    product_id,
    sequence: 7,
    price: '100.5',
    best_bid,
    best_ask,
    time: TIME,
    trade_id: 3,
    best_bid_size: '1',
    best_ask_size: '1',
    side: 'buy',
    last_size: '0.1',
    open_24h: '99',
    high_24h: '110',
    low_24h: '90',
    volume_24h: '1234.5',
  }),
  /** By the same clock that the connector measures with. @param delayMs  how long ago the venue sent it */
  heartbeat: (product_id: string, delayMs = 0) => ({
    type: 'heartbeat',
    product_id,
    sequence: 1,
    last_trade_id: 1,
    time: new Date(Date.parse(TIME) + performance.now() - delayMs).toISOString(),
  }),
};

export interface FakeConnection {
  /** Which one it is, from 0. */
  index: number;
  /** What the connector has reported. */
  received: FakeRequest[];
  send(...messages: readonly (object | string)[]): void;
  cut(): void;
  isOpen(): boolean;
}

export type Answer = (connection: FakeConnection, request: FakeRequest) => void;

export interface FakeRequest {
  type: string;
  product_ids: string[];
  channels?: string[];
}

export interface FakeVenue {
  wsUrl: string;
  connections: FakeConnection[];
  close(): void;
}

/** @param greet  called with every new connection @param options  `answer` is called with every request */
export async function startFakeVenue(
  greet: (connection: FakeConnection) => void,
  options: { autoPong?: boolean; refuseFirst?: number; answer?: Answer | undefined } = {},
): Promise<FakeVenue> {
  let toRefuse = options.refuseFirst ?? 0;
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    autoPong: options.autoPong ?? true,
    verifyClient: (_info, answer) => {
      toRefuse -= 1;
      answer(toRefuse < 0, 502, '<html>Bad gateway</html>');
    },
  });
  const connections: FakeConnection[] = [];
  server.on('connection', (socket) => {
    const connection: FakeConnection = {
      index: connections.length,
      received: [],
      send(...messages) {
        for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
      },
      cut: () => socket.terminate(),
      isOpen: () => socket.readyState === WebSocket.OPEN,
    };
    socket.on('message', (data) => {
      const request: FakeRequest = JSON.parse(String(data));
      connection.received.push(request);
      options.answer?.(connection, request);
    });
    connections.push(connection);
    greet(connection);
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    wsUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
