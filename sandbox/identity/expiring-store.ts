/** Entries with a limited life, in memory, bounded in number: the oldest make room. */
export interface ExpiringStore<T> {
  set(key: string, value: T, lifeS: number): void;
  get(key: string): T | undefined;
  delete(key: string): void;
  keysWhere(test: (value: T) => boolean): string[];
}

const MAX_ENTRIES = 5000;

export function expiringStore<T>(): ExpiringStore<T> {
  const entries = new Map<string, { value: T; untilMs: number }>();
  return {
    set(key, value, lifeS) {
      entries.delete(key);
      entries.set(key, { value, untilMs: Date.now() + lifeS * 1000 });
      const oldest = entries.keys().next();
      if (entries.size > MAX_ENTRIES && !oldest.done) entries.delete(oldest.value);
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.untilMs > Date.now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    delete: (key) => {
      entries.delete(key);
    },
    keysWhere: (test) => [...entries].filter(([, { value }]) => test(value)).map(([key]) => key),
  };
}
