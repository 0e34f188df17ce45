/** Storage may be blocked, full or hold another script's data: then nothing is read or stored, and no caller fails. */
import type * as z from 'zod/mini';

export interface StoredValue<T> {
  read(): T | null;
  /** @param value  null removes it  @returns false if the browser refused */
  write(value: T | null): boolean;
}

/** `sessionStorage` is the tab's own, `localStorage` is shared by all tabs. */
type Area = 'localStorage' | 'sessionStorage';

/** Text, stored as it is. */
export function storedText(area: Area, key: string): StoredValue<string> {
  return {
    read: () => attempt(() => window[area].getItem(key)),
    write: (text) =>
      attempt(() => {
        if (text === null) window[area].removeItem(key);
        else window[area].setItem(key, text);
        return true;
      }) ?? false,
  };
}

/** Any other value, stored as JSON and validated on reading. */
export function storedValue<T>(area: Area, key: string, schema: z.ZodMiniType<T>): StoredValue<T> {
  const text = storedText(area, key);
  return {
    read() {
      const parsed = schema.safeParse(attempt(() => JSON.parse(text.read() ?? 'null')));
      return parsed.success ? parsed.data : null;
    },
    write: (value) => text.write(value === null ? null : JSON.stringify(value)),
  };
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
