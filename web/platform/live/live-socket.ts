/**
 * The one live connection of a tab, in Coinbase Exchange's format. It opens with the first watcher and closes some
 * seconds after the last. Times are monotonic milliseconds.
 */
import { type FeedEvent, parseFeedMessage } from '#domain/market/book/coinbase-messages.ts';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import { createSubscriptions, type LiveChannel } from './live-subscriptions.ts';

/** Without a sign of life from a product's venue for this long, its shown data is stale. */
export const STALE_MS = 5000;
/**
 * Without any frame for this long the connection is dead, whatever the browser reports: the server sends one every 5 s.
 */
const SILENCE_MS = 15_000;
/** Without a sign of life from a product's venue for this long, the server keeps reconnecting to the venue. */
const VENUE_SILENCE_MS = 15_000;
/** A connection that lasted this long was good: the retry delay starts over. */
const STABLE_MS = 30_000;
/** The server has all the order books open that it may: a product it refused is requested again after this. */
const REFUSED_MS = 15_000;
/** The next page may need the connection again. */
const LINGER_MS = 5000;
/** A hidden tab pauses after this. Longer than a paper trade's 60 seconds, so that one still ends at a live price. */
const HIDDEN_PAUSE_MS = 90_000;
const CHECK_MS = 1000;

export type LiveEvent = Extract<FeedEvent, { kind: 'snapshot' | 'update' | 'ticker' | 'heartbeat' | 'candles' }>;

export interface LiveStatus {
  /** Our connection to the server, or the server's to the product's venue, has failed and is being retried. */
  isRetrying: boolean;
  isStale: boolean;
  /** When the product's venue last gave a sign of life, from a heartbeat or a stale snapshot; null before either. */
  lastAliveAtMs: number | null;
}

export interface LiveWatcher {
  /** A product's message on a watched channel; always includes heartbeats. */
  onEvent(event: LiveEvent): void;
  /** The stream was interrupted: the next message is a snapshot. */
  onBreak?(): void;
  onStatus(status: LiveStatus): void;
  /**
   * Called first and on each change: least milliseconds between a book's updates while a loaded server thins them; else
   * null.
   */
  onBookPace?(bookEveryMs: number | null): void;
}

export interface Connection {
  send(text: string): void;
  /** Drops it immediately, without waiting for the other side. */
  close(): void;
}

export interface LiveSocketPorts {
  open(handlers: { onOpen(): void; onText(text: string): void; onClose(): void }): Connection;
  nowMs(): number;
  after(ms: number, run: () => void): () => void;
  random(): number;
}

export interface LiveSocket {
  watch(productId: string, channels: readonly LiveChannel[], watcher: LiveWatcher): () => void;
  setHidden(isHidden: boolean): void;
  setOnline(isOnline: boolean): void;
  /** Counts of ignored messages since the page loaded. */
  ignored(): Readonly<{ badFrames: number; strangers: number; refusals: number }>;
}

interface Watch {
  productId: string;
  channels: ReadonlySet<LiveChannel>;
  watcher: LiveWatcher;
  status: LiveStatus;
}

export function createLiveSocket(ports: LiveSocketPorts): LiveSocket {
  const watches = new Set<Watch>();
  const subscriptions = createSubscriptions();
  const lastAliveAtMs = new Map<string, number>();
  /** A product's last price and candles, for a watcher that joins. */
  const newest = new Map<string, LiveEvent>();
  const ignored = { badFrames: 0, strangers: 0, refusals: 0 };
  let connection: Connection | null = null;
  let openedAtMs: number | null = null;
  let frameAtMs = 0;
  /** When the server confirmed each product on this connection; a refused product is never in here. */
  const carriedAtMs = new Map<string, number>();
  /** Products whose venue is unresponsive. They stay here, on any connection, until it responds. */
  const failed = new Set<string>();
  let bookEveryMs: number | null = null;
  let attempt = 0;
  let isOnline = true;
  let isPaused = false;
  let isFlushing = false;
  const timers = { refused: idle, retry: idle, linger: idle, pause: idle, check: idle };

  function connect(): void {
    timers.retry();
    if (connection !== null || subscriptions.isEmpty() || !isOnline || isPaused) return;
    frameAtMs = ports.nowMs();
    const own = ports.open({
      onOpen() {
        if (connection !== own) return;
        openedAtMs = ports.nowMs();
        frameAtMs = openedAtMs;
        sendRequests();
        check();
      },
      onText: (text) => connection === own && take(text),
      onClose: () => connection === own && lose(),
    });
    connection = own;
    startChecks();
  }

  function sendRequests(): void {
    if (connection === null || openedAtMs === null) return;
    for (const text of subscriptions.takeRequests()) connection.send(text);
  }

  /** Sends one batch for all widgets that mount or unmount together. */
  function sendRequestsSoon(): void {
    if (isFlushing) return;
    isFlushing = true;
    queueMicrotask(() => {
      isFlushing = false;
      sendRequests();
    });
  }

  function drop(): void {
    const dropped = connection;
    connection = null;
    openedAtMs = null;
    carriedAtMs.clear();
    subscriptions.forget();
    newest.clear();
    dropped?.close();
    publishBookPace(null);
    for (const { watcher } of watches) watcher.onBreak?.();
  }

  function publishBookPace(everyMs: number | null): void {
    if (everyMs === bookEveryMs) return;
    bookEveryMs = everyMs;
    for (const { watcher } of watches) watcher.onBookPace?.(everyMs);
  }

  function lose(): void {
    if (openedAtMs !== null && ports.nowMs() - openedAtMs >= STABLE_MS) attempt = 0;
    drop();
    const delayMs = reconnectDelayMs(attempt, ports.random);
    attempt += 1;
    timers.retry();
    timers.retry = ports.after(delayMs, connect);
    check();
  }

  function take(text: string): void {
    frameAtMs = ports.nowMs();
    const event = parseFeedMessage(text);
    if (event.kind === 'malformed') ignored.badFrames += 1;
    else if (event.kind === 'error') refuse(event.reason);
    else if (event.kind === 'ignored') ignored.strangers += 1;
    else if (event.kind === 'subscriptions') carry(new Set(event.channels.flatMap(({ productIds }) => productIds)));
    else if (event.kind === 'alive') publishBookPace(event.bookEveryMs);
    else deliver(event);
  }

  function refuse(reason: string): void {
    ignored.refusals += 1;
    if (!reason.includes('too many')) return;
    for (const { productId } of watches) {
      if (!reason.startsWith(`${productId} `) || carriedAtMs.has(productId)) continue;
      failed.add(productId);
      subscriptions.forgetProduct(productId);
    }
    check();
    timers.refused();
    timers.refused = ports.after(REFUSED_MS, sendRequests);
  }

  function carry(products: ReadonlySet<string>): void {
    for (const productId of carriedAtMs.keys()) if (!products.has(productId)) carriedAtMs.delete(productId);
    for (const productId of products) if (!carriedAtMs.has(productId)) carriedAtMs.set(productId, frameAtMs);
  }

  function deliver(event: LiveEvent): void {
    const channel = CHANNEL_OF[event.kind];
    const concerned = [...watches].filter(({ productId }) => productId === event.productId);
    if (concerned.length === 0) {
      ignored.strangers += 1;
      return;
    }
    const aliveAtMs = aliveAt(event);
    if (aliveAtMs !== null)
      lastAliveAtMs.set(event.productId, Math.max(aliveAtMs, lastAliveAtMs.get(event.productId) ?? aliveAtMs));
    if (event.kind === 'ticker' || event.kind === 'candles') newest.set(`${event.kind} ${event.productId}`, event);
    for (const watch of concerned) {
      if (aliveAtMs !== null) publishStatus(watch);
      if (channel === 'heartbeat' || watch.channels.has(channel)) watch.watcher.onEvent(event);
    }
  }

  /** When the product's venue was last alive: a heartbeat and a stale snapshot carry their age. */
  function aliveAt(event: LiveEvent): number | null {
    if (event.kind === 'heartbeat') return frameAtMs - (event.idleMs ?? 0);
    return event.kind === 'snapshot' && event.ageMs !== null ? frameAtMs - event.ageMs : null;
  }

  function startChecks(): void {
    timers.check();
    timers.check = ports.after(CHECK_MS, () => {
      check();
      if (connection !== null && ports.nowMs() - frameAtMs > SILENCE_MS) lose();
      if (!subscriptions.isEmpty() || connection !== null) startChecks();
    });
  }

  function check(): void {
    for (const watch of watches) publishStatus(watch);
  }

  function publishStatus(watch: Watch): void {
    const now = statusOf(watch.productId);
    const { status } = watch;
    watch.status = now;
    // While the stream is live, the time of the last heartbeat is irrelevant.
    const isSame = status.isRetrying === now.isRetrying && status.isStale === now.isStale;
    if (!isSame || (now.lastAliveAtMs === null) !== (status.lastAliveAtMs === null) || now.isStale)
      watch.watcher.onStatus(now);
  }

  function statusOf(productId: string): LiveStatus {
    const aliveAtMs = lastAliveAtMs.get(productId) ?? null;
    const isStale = aliveAtMs !== null && (!isOnline || ports.nowMs() - aliveAtMs > STALE_MS);
    const isLost = !isOnline || (attempt > 0 && openedAtMs === null);
    return { isRetrying: isLost || hasFailed(productId, aliveAtMs), isStale, lastAliveAtMs: aliveAtMs };
  }

  /** A page that returns to a live venue has heard nothing for long either: only time on this connection counts. */
  function hasFailed(productId: string, aliveAtMs: number | null): boolean {
    const isUnresponsive = (sinceMs: number | null | undefined) =>
      typeof sinceMs === 'number' && ports.nowMs() - sinceMs > VENUE_SILENCE_MS;
    if (aliveAtMs !== null && !isUnresponsive(aliveAtMs)) failed.delete(productId);
    else if (isUnresponsive(carriedAtMs.get(productId))) failed.add(productId);
    return failed.has(productId);
  }

  return {
    watch(productId, requested, watcher) {
      const channels = [...new Set<LiveChannel>([...requested, 'heartbeat'])];
      const watch: Watch = { productId, channels: new Set(channels), watcher, status: statusOf(productId) };
      watches.add(watch);
      subscriptions.add(productId, channels);
      timers.linger();
      watcher.onStatus(watch.status);
      watcher.onBookPace?.(bookEveryMs);
      for (const channel of NEWEST_CHANNELS) {
        const event = watch.channels.has(channel) ? newest.get(`${channel} ${productId}`) : undefined;
        if (event !== undefined) watcher.onEvent(event);
      }
      // All watchers of a product get a new snapshot together, so that none mixes old and new.
      if (connection === null && attempt === 0) connect();
      sendRequestsSoon();
      return () => {
        if (!watches.delete(watch)) return;
        subscriptions.remove(productId, channels);
        if (![...watches].some((other) => other.productId === productId)) {
          lastAliveAtMs.delete(productId);
          failed.delete(productId);
          for (const channel of NEWEST_CHANNELS) newest.delete(`${channel} ${productId}`);
        }
        sendRequestsSoon();
        if (subscriptions.isEmpty()) timers.linger = ports.after(LINGER_MS, rest);
      };
    },
    setHidden(isHidden) {
      timers.pause();
      if (isHidden) {
        timers.pause = ports.after(HIDDEN_PAUSE_MS, () => {
          isPaused = true;
          drop();
          timers.retry();
        });
        return;
      }
      isPaused = false;
      connect();
    },
    setOnline(nowOnline) {
      isOnline = nowOnline;
      if (isOnline) connect();
      else {
        timers.retry();
        drop();
      }
      check();
    },
    ignored: () => ({ ...ignored }),
  };

  function rest(): void {
    if (!subscriptions.isEmpty()) return;
    timers.retry();
    timers.check();
    drop();
    attempt = 0;
  }
}

const CHANNEL_OF = {
  snapshot: 'level2',
  update: 'level2',
  ticker: 'ticker',
  heartbeat: 'heartbeat',
  candles: 'candles',
} as const satisfies Record<LiveEvent['kind'], LiveChannel>;

const NEWEST_CHANNELS = ['ticker', 'candles'] as const;

function idle(): void {}
