/** Work that outlives a run: saving it, dropping decided ones from memory, finding one that a reload interrupted. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '#domain/market/timeframes.ts';
import { storedValue } from '../../../ui/browser/stored-value.ts';
import {
  closingOf,
  type ForecastPorts,
  predictionOf,
  type Remembered,
  type ReservationMemory,
  type Run,
} from './forecast-run.ts';

const rememberedSchema = z.object({
  reservationId: z.string(),
  userId: z.string(),
  symbolLabel: z.string(),
  timeframe: z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME),
  model: z.enum(MODEL_NAMES),
});

/** The memory of this tab. If storage is blocked or full, a reload cannot finish the forecast, but nothing else fails. */
export function sessionMemory(): ReservationMemory {
  const stored = storedValue<Remembered>('sessionStorage', 'kat-forecast', rememberedSchema);
  return {
    remember: (entry) => void stored.write(entry),
    recall(userId) {
      const entry = stored.read();
      return entry?.userId === userId ? entry : null;
    },
    forget(reservationId) {
      if (reservationId === undefined || reservationId === stored.read()?.reservationId) stored.write(null);
    },
  };
}

export interface Saved {
  isSaved: boolean;
  /** Null when nothing was saved, and when the server did not send the row. */
  row: PredictionRow | null;
}

/** A failure to save is reported but not shown (R-FORECAST-14). */
export async function saveRun(run: Run, ports: ForecastPorts): Promise<Saved> {
  try {
    const row = await ports.save(run.request, predictionOf(run));
    forgetRun(run, ports);
    return { isSaved: true, row };
  } catch (error) {
    // Only an answer means a decision; after a lost connection, a reload may still save.
    if (closingOf(error).isDecided) forgetRun(run, ports);
    ports.report(error, { where: 'create-prediction' });
    return { isSaved: false, row: null };
  }
}

/** Leaves the entry of a later run of this tab in place. */
export function forgetRun({ start }: Run, { memory }: ForecastPorts): void {
  memory.forget(start?.reservationId ?? null);
}

/**
 * The complete forecast that was being watched; null if deleted, unfinished or unreadable, and then dropped from
 * memory.
 */
export async function findWatched(
  { reservationId }: Remembered,
  ports: ForecastPorts,
  signal: AbortSignal,
): Promise<StoredForecast | null> {
  const stored = await ports.loadStored(reservationId, signal).catch((error: unknown) => {
    if (!signal.aborted) ports.report(error, { where: 'stored forecast' });
    return null;
  });
  if (signal.aborted) return null;
  const isWhole = stored !== null && stored.forecast.length >= HORIZON_BARS && stored.history.length >= HISTORY_BARS;
  if (!isWhole || stored.state === 'spent') ports.memory.forget(reservationId);
  return isWhole ? stored : null;
}
