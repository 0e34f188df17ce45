/** Reads and validates a pop-out window's snapshot: any page of this origin may have written it. */
import * as z from 'zod/mini';
import { readSavedCandles } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import { entryName, type PopoutSnapshot, parseJson } from './popout-entry.ts';

/** A day before the largest date, so that it is valid in any zone. */
const MAX_TIME_MS = 8.63e15;
const MAX_TITLE = 120;
/** The chart's own limit of prices is slightly higher. */
const MAX_PRICE = 1e13;

const snapshotSchema = z.object({
  data: z.unknown(),
  outcome: z.optional(z.unknown()),
  isDark: z.boolean(),
  title: z.string(),
  ts: z.number().check(z.gte(-MAX_TIME_MS), z.lte(MAX_TIME_MS)),
});

/** Null if the entry is absent or invalid. Its candles can be drawn: ascending in time, with plausible prices. */
export function readSnapshot(storage: Storage, key: string): PopoutSnapshot | null {
  const parsed = snapshotSchema.safeParse(parseJson(storage.getItem(entryName(key))));
  if (!parsed.success) return null;
  const { isDark, ts } = parsed.data;
  const data = drawable(parsed.data.data);
  if (data.length === 0) return null;
  const outcome = drawable(parsed.data.outcome).filter((candle) => data.some(({ time }) => time === candle.time));
  const title = [...parsed.data.title].slice(0, MAX_TITLE).join('');
  return { data, isDark, title, ts, ...(outcome.length > 0 && { outcome }) };
}

function drawable(entries: unknown): Candle[] {
  const isInReason = ({ open, high, low, close }: Candle): boolean =>
    [open, high, low, close].every((price) => Math.abs(price) < MAX_PRICE);
  const byTime = new Map(
    readSavedCandles(entries)
      .candles.filter(isInReason)
      .map((candle) => [candle.time, candle]),
  );
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}
