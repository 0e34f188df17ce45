/** The last count of each service, and the channel or invitation it belongs to. A count that is too old is unknown. */
import type * as z from 'zod/mini';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedStore } from '../platform/feeds/feed-store.ts';

export type CounterName = 'channel-stats' | 'chat-members' | 'patron-stats';

export interface Counted<T> {
  /** Null: never reported, or too old. */
  value: T | null;
  /** When the service was queried; null: it never answered. */
  fetchedAtMs: number | null;
}

export interface CounterStore<T> {
  put(value: T): Promise<void>;
  last(): Promise<Counted<T>>;
}

export interface CounterStoreOptions<T> {
  store: FeedStore;
  name: CounterName;
  /** Identifies the channel or invitation: counts of another one are not used. */
  subject: string;
  schema: z.ZodMiniType<T>;
  attribution: string;
  clock: Clock;
}

/** Counts change slowly, but last week's must not appear as today's. */
export const KNOWN_MS = 2 * 86_400_000;

export function counterStore<T>(options: CounterStoreOptions<T>): CounterStore<T> {
  const { store, name, subject, schema, attribution, clock } = options;
  return {
    async put(value) {
      await store.put(name, { body: { subject, value }, attribution, fetchedAtMs: clock.nowMs() });
    },
    async last() {
      const found = await store.get(name);
      if (found === null || !isOf(found.body, subject)) return { value: null, fetchedAtMs: null };
      const { fetchedAtMs } = found;
      const isKnown = clock.nowMs() - fetchedAtMs <= KNOWN_MS;
      // A value stored by an older version in another shape is also unknown.
      const parsed = schema.safeParse(found.body.value);
      return { value: isKnown && parsed.success ? parsed.data : null, fetchedAtMs };
    },
  };
}

function isOf(body: unknown, subject: string): body is { subject: string; value: unknown } {
  return typeof body === 'object' && body !== null && 'subject' in body && 'value' in body && body.subject === subject;
}
