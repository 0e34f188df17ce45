/** What the panel remembers in this tab across a reload. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { storedText, storedValue } from '../../../ui/browser/stored-value.ts';

/** If it can't be stored, a reload starts with the first symbol. */
const symbolLabel = storedText('sessionStorage', 'kat-symbol');

/** Called when the user picks a symbol or model. @param symbol  the one shown then */
export function rememberSymbol({ label }: MarketSymbol): void {
  symbolLabel.write(label);
}

/**
 * Null until a signed-in user picked a symbol or a model in this tab. After that, nothing else may replace the chart.
 */
export function pickedSymbol(): MarketSymbol | null {
  return symbolOfLabel(symbolLabel.read() ?? '');
}

const rememberedSchema = z.object({
  reservationId: z.string(),
  userId: z.string(),
  symbolLabel: z.string(),
  model: z.enum(MODEL_NAMES),
});
/** The forecast being watched, which a reload can finish and save. */
export type Remembered = z.infer<typeof rememberedSchema>;

export interface ReservationMemory {
  remember(entry: Remembered): void;
  /** Returns only this user's own. */
  recall(userId: string): Remembered | null;
  /** Removes the entry if its id matches; without an id, removes any entry. */
  forget(reservationId?: string | null): void;
}

/** If it can't be stored, a reload cannot finish the forecast, but nothing else fails. */
export function sessionMemory(): ReservationMemory {
  const stored = storedValue('sessionStorage', 'kat-forecast', rememberedSchema);
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
