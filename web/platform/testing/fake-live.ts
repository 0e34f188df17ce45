/** A live connection for tests: the real core over a connection, a clock and timers that the test moves. */
import { liveState } from '../live/live-feed.ts';
import { createLiveSocket, type LiveSocket, type LiveSocketPorts } from '../live/live-socket.ts';

export interface FakeConnection {
  sent: { type: string; product_ids: string[]; channels: string[] }[];
  isClosed: boolean;
  accept(): void;
  receive(...messages: object[]): void;
  receiveText(text: string): void;
  break(): void;
}

export interface FakeLive {
  live: LiveSocket;
  connections: FakeConnection[];
  /** The newest. */
  connection(): FakeConnection;
  nowMs(): number;
  advance(ms: number): Promise<void>;
}

export function fakeLive(): FakeLive {
  const connections: FakeConnection[] = [];
  let nowMs = 1000;
  let timers: { atMs: number; run: () => void }[] = [];
  const ports: LiveSocketPorts = {
    open(handlers) {
      const connection: FakeConnection = {
        sent: [],
        isClosed: false,
        accept: () => handlers.onOpen(),
        receive: (...messages) => {
          for (const message of messages) handlers.onText(JSON.stringify(message));
        },
        receiveText: (text) => handlers.onText(text),
        break: () => handlers.onClose(),
      };
      connections.push(connection);
      return {
        send: (text) => void connection.sent.push(JSON.parse(text)),
        close: () => {
          connection.isClosed = true;
        },
      };
    },
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    random: () => 1,
  };
  return {
    live: createLiveSocket(ports),
    connections,
    connection() {
      const newest = connections.at(-1);
      if (newest === undefined) throw new Error('Nothing was opened.');
      return newest;
    },
    nowMs: () => nowMs,
    async advance(ms) {
      const endMs = nowMs + ms;
      // What was put off to the end of the turn comes first.
      await Promise.resolve();
      for (;;) {
        const [next] = timers.filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        nowMs = next.atMs;
        next.run();
        await Promise.resolve();
      }
      nowMs = endMs;
    },
  };
}

/** Makes the page's live connection a fake one, with its clock: what `liveFeed()` and `liveNowMs()` give from now on. */
export function fakeLiveFeed(): FakeLive {
  const fake = fakeLive();
  Object.assign(liveState(), { feed: fake.live, nowMs: fake.nowMs });
  return fake;
}

export const heartbeat = (product_id: string) => ({
  type: 'heartbeat',
  product_id,
  sequence: 1,
  last_trade_id: 1,
  time: '2026-01-01T00:00:00Z',
});

export const ticker = (product_id: string, price: string, change: object = {}) => ({
  type: 'ticker',
  product_id,
  sequence: 1,
  price,
  time: '2026-01-01T00:00:00Z',
  trade_id: 1,
  ...change,
});

/** `count` levels a side around a middle, `step` apart, each of size 1. */
export const snapshot = (product_id: string, middle: number, count: number, step = 1) => ({
  type: 'snapshot',
  product_id,
  bids: Array.from({ length: count }, (_, i) => [String(middle - step * (i + 1)), '1']),
  asks: Array.from({ length: count }, (_, i) => [String(middle + step * (i + 1)), '1']),
});
