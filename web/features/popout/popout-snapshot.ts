/** What a pop-out window was handed, checked: any page of this origin may have written it. */
import * as z from 'zod/mini';
import { readSavedCandles } from '#domain/forecast/prediction.ts';
import { entryName, type PopoutSnapshot, parseJson } from './popout-entry.ts';

const snapshotSchema = z.object({
  data: z.unknown(),
  isDark: z.boolean(),
  title: z.string(),
  ts: z.number(),
});

/** Null when the entry is absent or is no snapshot. */
export function readSnapshot(storage: Storage, key: string): PopoutSnapshot | null {
  const parsed = snapshotSchema.safeParse(parseJson(storage.getItem(entryName(key))));
  if (!parsed.success) return null;
  const { candles } = readSavedCandles(parsed.data.data);
  return candles.length === 0 ? null : { ...parsed.data, data: candles };
}
