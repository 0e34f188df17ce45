/** A Coinbase of a test's own, which says on each connection what the test wants, in either dialect. */
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

export type Rows = readonly (readonly [side: 'buy' | 'sell', price: unknown, size: unknown])[];

/** How one dialect says what both mean. */
export interface Words {
  dialect: 'exchange' | 'advanced';
  snapshot(productId: string, bids: readonly unknown[], asks: readonly unknown[]): object;
  update(productId: string, rows: Rows, time?: string): object;
  ticker(productId: string, bestBid: string, bestAsk: string): object;
  heartbeat(productId: string): object;
}

const TIME = '2025-11-12T15:00:00.000000Z';

export const EXCHANGE: Words = {
  dialect: 'exchange',
  snapshot: (product_id, bids, asks) => ({ type: 'snapshot', product_id, bids, asks }),
  update: (product_id, changes, time = TIME) => ({ type: 'l2update', product_id, time, changes }),
  ticker: (product_id, best_bid, best_ask) => ({
    ...{ type: 'ticker', product_id, sequence: 7, price: '100.5', best_bid, best_ask, time: TIME, trade_id: 3 },
    ...{ best_bid_size: '1', best_ask_size: '1', side: 'buy', last_size: '0.1' },
    ...{ open_24h: '99', high_24h: '110', low_24h: '90', volume_24h: '1234.5' },
  }),
  heartbeat: (product_id) => ({ type: 'heartbeat', product_id, sequence: 1, last_trade_id: 1, time: TIME }),
};

const level = (side: 'bid' | 'offer') => (row: unknown) =>
  Array.isArray(row) ? { side, event_time: TIME, price_level: row[0], new_quantity: row[1] } : row;

const books = (type: 'snapshot' | 'update', product_id: string, updates: unknown[], timestamp = TIME) => ({
  channel: 'l2_data',
  timestamp,
  events: [{ type, product_id, updates }],
});

/** Numbered when they are said. */
export const ADVANCED: Words = {
  dialect: 'advanced',
  snapshot: (id, bids, asks) => books('snapshot', id, [...bids.map(level('bid')), ...asks.map(level('offer'))]),
  update: (id, rows, time) => {
    const sides = { buy: 'bid', sell: 'offer' } as const;
    return books(
      'update',
      id,
      rows.map(([side, price, size]) => level(sides[side])([price, size])),
      time,
    );
  },
  ticker: (product_id, best_bid, best_ask) => {
    const figures = { price: '100.5', volume_24_h: '1234.5', low_24_h: '90', high_24_h: '110' };
    const best = { best_bid, best_bid_quantity: '1', best_ask, best_ask_quantity: '1' };
    const ticker = { type: 'ticker', product_id, ...figures, price_percent_chg_24_h: '1.5', ...best };
    return { channel: 'ticker', timestamp: TIME, events: [{ type: 'update', tickers: [ticker] }] };
  },
  heartbeat: () => ({ channel: 'heartbeats', timestamp: TIME, events: [{ current_time: TIME, heartbeat_counter: 1 }] }),
};

export interface FakeConnection {
  /** Which one it is, from 0. */
  index: number;
  /** What the connector has said. */
  heard: FakeRequest[];
  say(...messages: readonly (object | string)[]): void;
  /** Leaves out a number of the connection, as if a message were lost. */
  skip(): void;
  cut(): void;
  isOpen(): boolean;
}

export type Answer = (connection: FakeConnection, request: FakeRequest) => void;

/** Of either dialect. */
export interface FakeRequest {
  type: string;
  product_ids: string[];
  channels?: string[];
  channel?: string;
  key?: string;
  timestamp?: string;
  signature?: string;
}

export interface FakeVenue {
  wsUrl: string;
  connections: FakeConnection[];
  close(): void;
}

/** @param greet  called with every new connection @param options  `answer` is called with every request */
export async function startFakeVenue(
  words: Words,
  greet: (connection: FakeConnection) => void,
  options: { autoPong?: boolean; refuseFirst?: number; answer?: Answer | undefined } = {},
): Promise<FakeVenue> {
  let toRefuse = options.refuseFirst ?? 0;
  const server = new WebSocketServer({
    ...{ port: 0, host: '127.0.0.1', autoPong: options.autoPong ?? true },
    verifyClient: (_info, answer) => {
      toRefuse -= 1;
      answer(toRefuse < 0, 502, '<html>Bad gateway</html>');
    },
  });
  const connections: FakeConnection[] = [];
  server.on('connection', (socket) => {
    let sequence = 0;
    const numbered = (message: object) =>
      words.dialect === 'advanced' && !('type' in message) ? { ...message, sequence_num: sequence++ } : message;
    const connection: FakeConnection = {
      index: connections.length,
      heard: [],
      say(...messages) {
        for (const message of messages)
          socket.send(typeof message === 'string' ? message : JSON.stringify(numbered(message)));
      },
      skip() {
        sequence += 1;
      },
      cut: () => socket.terminate(),
      isOpen: () => socket.readyState === WebSocket.OPEN,
    };
    socket.on('message', (data) => {
      const request: FakeRequest = JSON.parse(String(data));
      connection.heard.push(request);
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
