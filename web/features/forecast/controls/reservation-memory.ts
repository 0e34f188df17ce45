/** Stores the forecast being watched in this tab, so that a reload can finish and save it. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';

const KEY = 'kat-forecast';

const rememberedSchema = z.object({
  reservationId: z.string(),
  userId: z.string(),
  symbolLabel: z.string(),
  model: z.enum(MODEL_NAMES),
});
export type Remembered = z.infer<typeof rememberedSchema>;

export interface ReservationMemory {
  remember(entry: Remembered): void;
  /** Returns only this user's own. */
  recall(userId: string): Remembered | null;
  /** Removes the entry if its id matches; without an id, removes any entry. */
  forget(reservationId?: string | null): void;
}

/** If storage is blocked or full, a reload cannot finish the forecast, but nothing else fails. */
export function sessionMemory(): ReservationMemory {
  return {
    remember(entry) {
      attempt(() => window.sessionStorage.setItem(KEY, JSON.stringify(entry)));
    },
    recall(userId) {
      const entry = remembered();
      return entry?.userId === userId ? entry : null;
    },
    forget(reservationId) {
      if (reservationId !== undefined && reservationId !== remembered()?.reservationId) return;
      attempt(() => window.sessionStorage.removeItem(KEY));
    },
  };
}

function remembered(): Remembered | null {
  const parsed = rememberedSchema.safeParse(attempt(() => JSON.parse(window.sessionStorage.getItem(KEY) ?? 'null')));
  return parsed.success ? parsed.data : null;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    // Storage is blocked, full, or holds another script's data.
    return null;
  }
}
