/** What a pop-out window shows, handed over in local storage under an entry named by its key. Specification 2, section 2.8. */
import * as z from 'zod/mini';
import { readSavedCandles } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';

export interface PopoutSnapshot {
  data: Candle[];
  isDark: boolean;
  title: string;
  /** When the snapshot was taken, epoch milliseconds. */
  ts: number;
}

const snapshotSchema = z.object({
  data: z.unknown(),
  isDark: z.boolean(),
  title: z.string(),
  ts: z.number(),
});

/** Snapshots older than this are cleared when the next one is stored. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const PREFIX = 'popout:';

export function entryName(key: string): string {
  return PREFIX + key;
}

/** 128 random bits as hexadecimal digits; made without `randomUUID`, which plain HTTP away from localhost lacks. */
export function newSnapshotKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function clearSnapshot(storage: Storage, key: string): void {
  storage.removeItem(entryName(key));
}

/** @throws DOMException when storage is full or blocked */
export function storeSnapshot(storage: Storage, key: string, snapshot: PopoutSnapshot): void {
  clearOld(storage, snapshot.ts);
  storage.setItem(entryName(key), JSON.stringify(snapshot));
}

/** Null when the entry is absent or is no snapshot. */
export function readSnapshot(storage: Storage, key: string): PopoutSnapshot | null {
  const parsed = snapshotSchema.safeParse(parseJson(storage.getItem(entryName(key))));
  if (!parsed.success) return null;
  const { candles } = readSavedCandles(parsed.data.data);
  return candles.length === 0 ? null : { ...parsed.data, data: candles };
}

function clearOld(storage: Storage, nowMs: number): void {
  for (const name of Object.keys(storage)) {
    if (!name.startsWith(PREFIX)) continue;
    const snapshot = readSnapshot(storage, name.slice(PREFIX.length));
    if (snapshot === null || nowMs - snapshot.ts > KEPT_MS) storage.removeItem(name);
  }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Not ours, or cut short: the same as no entry.
    return null;
  }
}
