/** The forecast being watched in this tab, which a reload can finish and save. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '#domain/market/timeframes.ts';
import { reportError } from '../../../platform/error-log.ts';
import { storedValue } from '../../../ui/browser/stored-value.ts';
import { fetchStoredForecast } from './forecast-api.ts';

const watchedRunSchema = z.object({
  reservationId: z.string(),
  userId: z.string(),
  symbolLabel: z.string(),
  timeframe: z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME),
  model: z.enum(MODEL_NAMES),
});

export type WatchedRun = z.infer<typeof watchedRunSchema>;

/** If storage is blocked or full, a reload cannot finish the forecast, but nothing else fails. */
const stored = storedValue<WatchedRun>('sessionStorage', 'kat-forecast', watchedRunSchema);

export function rememberRun(run: WatchedRun): void {
  stored.write(run);
}

/** Returns only this user's own. */
export function recallRun(userId: string): WatchedRun | null {
  const run = stored.read();
  return run?.userId === userId ? run : null;
}

/** Removes the entry if its id matches; without an id, removes any entry. */
export function forgetRun(reservationId?: string | null): void {
  if (reservationId === undefined || reservationId === stored.read()?.reservationId) stored.write(null);
}

/** The whole forecast; null if deleted, unfinished or unreadable, and then forgotten. */
export async function findWatched({ reservationId }: WatchedRun, signal: AbortSignal): Promise<StoredForecast | null> {
  const found = await fetchStoredForecast(reservationId, signal).catch((error: unknown) => {
    if (!signal.aborted) reportError(error, { where: 'stored forecast' });
    return null;
  });
  if (signal.aborted) return null;
  const isWhole = found !== null && found.forecast.length >= HORIZON_BARS && found.history.length >= HISTORY_BARS;
  if (!isWhole || found.state === 'spent') forgetRun(reservationId);
  return isWhole ? found : null;
}
