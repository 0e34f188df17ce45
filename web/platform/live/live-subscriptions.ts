/** Which products and channels are watched, and which requests make the connection carry exactly those. */
import { type CoinbaseRequest, type RelayChannel, requestText } from '#domain/market/book/coinbase-messages.ts';

export type LiveChannel = Exclude<RelayChannel, 'level2_batch'>;

export interface LiveSubscriptions {
  add(productId: string, channels: readonly LiveChannel[]): void;
  remove(productId: string, channels: readonly LiveChannel[]): void;
  isEmpty(): boolean;
  /** The connection is new or closed: no request was sent on it. */
  forget(): void;
  /** The server refused the product: its next requests name it again. */
  forgetProduct(productId: string): void;
  /** Requests to send now; afterwards they count as sent. */
  takeRequests(): string[];
}

interface Wanted {
  productId: string;
  channel: LiveChannel;
  count: number;
  /** A watcher joined an existing subscription; only a new subscription starts with a snapshot. */
  needsSnapshot: boolean;
}

export function createSubscriptions(): LiveSubscriptions {
  const wanted = new Map<string, Wanted>();
  const sent = new Map<string, { productId: string; channel: LiveChannel }>();

  return {
    add(productId, channels) {
      for (const channel of channels) {
        const key = keyOf(productId, channel);
        const entry = wanted.get(key);
        if (entry === undefined) {
          wanted.set(key, { productId, channel, count: 1, needsSnapshot: channel === 'level2' && sent.has(key) });
        } else {
          entry.count += 1;
          entry.needsSnapshot ||= channel === 'level2' && sent.has(key);
        }
      }
    },
    remove(productId, channels) {
      for (const channel of channels) {
        const key = keyOf(productId, channel);
        const entry = wanted.get(key);
        if (entry === undefined) continue;
        entry.count -= 1;
        if (entry.count === 0) wanted.delete(key);
      }
    },
    isEmpty: () => wanted.size === 0,
    forget() {
      sent.clear();
      for (const entry of wanted.values()) entry.needsSnapshot = false;
    },
    forgetProduct(productId) {
      for (const [key, entry] of sent) if (entry.productId === productId) sent.delete(key);
    },
    takeRequests() {
      const obsolete = [...sent].filter(([key]) => wanted.get(key)?.needsSnapshot !== false);
      for (const [key] of obsolete) sent.delete(key);
      const missing = [...wanted].filter(([key]) => !sent.has(key));
      for (const [key, entry] of missing) {
        entry.needsSnapshot = false;
        sent.set(key, entry);
      }
      return [
        ...requests(
          'unsubscribe',
          obsolete.map(([, entry]) => entry),
        ),
        ...requests(
          'subscribe',
          missing.map(([, entry]) => entry),
        ),
      ];
    },
  };
}

/** One request per product: the server accepts or refuses a request as a whole, and one product may be refused. */
function requests(
  type: CoinbaseRequest['type'],
  entries: readonly { productId: string; channel: LiveChannel }[],
): string[] {
  const ofProducts = Map.groupBy(entries, ({ productId }) => productId);
  return [...ofProducts].map(([productId, own]) => {
    const channels = own.map(({ channel }) => channel);
    return requestText(type, [productId], channels);
  });
}

function keyOf(productId: string, channel: LiveChannel): string {
  return `${channel} ${productId}`;
}
