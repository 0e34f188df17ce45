/** Passes a pop-out window its content. Every page with such a button writes, so only popout-view.tsx reads. */

import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { Candle } from '#domain/market/candle.ts';

export interface PopoutSnapshot {
  data: Candle[];
  /** The real candles of the forecast's minutes, if known. */
  outcome?: Candle[];
  /** The forecast's bands, if they were saved with it. */
  band?: ForecastBand;
  isDark: boolean;
  title: string;
  ts: number;
}

/** Storing a snapshot clears those older than this, and the oldest beyond this many. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 20;
const PREFIX = 'popout:';

export function entryName(key: string): string {
  return PREFIX + key;
}

export function clearSnapshot(storage: Storage, key: string): void {
  storage.removeItem(entryName(key));
}

/** @throws DOMException if storage is full or blocked */
export function storeSnapshot(storage: Storage, key: string, snapshot: PopoutSnapshot): void {
  clearOld(storage, snapshot.ts);
  storage.setItem(entryName(key), JSON.stringify(snapshot));
}

function clearOld(storage: Storage, nowMs: number): void {
  const names = Object.keys(storage).filter((name) => name.startsWith(PREFIX));
  const known = names.map((name) => ({ name, takenAtMs: takenAt(storage.getItem(name)) }));
  const isOld = (takenAtMs: number | null): boolean => takenAtMs === null || Math.abs(nowMs - takenAtMs) > MAX_AGE_MS;
  const fresh = known.filter(({ takenAtMs }) => !isOld(takenAtMs));
  const oldestFirst = fresh.sort((a, b) => (a.takenAtMs ?? 0) - (b.takenAtMs ?? 0));
  const tooMany = oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - MAX_ENTRIES));
  for (const { name } of [...known.filter(({ takenAtMs }) => isOld(takenAtMs)), ...tooMany]) storage.removeItem(name);
}

/** Null if it isn't a snapshot. */
function takenAt(text: string | null): number | null {
  const entry = parsedJson(text ?? '');
  if (typeof entry !== 'object' || entry === null || !('ts' in entry) || !('data' in entry)) return null;
  return typeof entry.ts === 'number' && Array.isArray(entry.data) ? entry.ts : null;
}
