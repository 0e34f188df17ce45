/** Stored candles as the start of a symbol's series, until its venue has answered. */
import { MINUTE_S } from '#domain/market/candle.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Venue } from '../venues/venue.ts';
import type { CandleMemory } from './candle-store.ts';
import { KEPT, type SymbolState } from './symbol-state.ts';

export interface StoredPastParts {
  venue: Venue;
  store: CandleMemory;
  log: Logger;
}

/** Stored candles from before this span are not used: they are no unbroken past. */
const SPAN_S = { always: KEPT * MINUTE_S, withHours: 14 * 86_400 };

/** Loads stored candles into a series that is still empty; if it no longer is, only compares the two. Never rejects. */
export async function restorePast(state: SymbolState, { venue, store, log }: StoredPastParts): Promise<void> {
  const { series, symbol } = state;
  try {
    const toS = Math.floor(venue.nowMs() / 1000);
    const stored = await store.read(venue.id, symbol.sym, { fromS: 0, toS, count: KEPT });
    if (state.series !== series || series.completeUntilS > 0) {
      if (state.series.compare(stored) === 'other') store.forget(venue.id, symbol.sym);
      return;
    }
    if (stored.length === 0) return;
    const spanS = symbol.hours === 'always' ? SPAN_S.always : SPAN_S.withHours;
    const firstS = (stored.at(-1)?.time ?? 0) - spanS;
    series.merge(
      stored.filter((candle) => candle.time > firstS),
      true,
      0,
    );
    state.isUnproven = true;
  } catch (error) {
    // The venue has the same candles.
    log.warn({ err: error, sym: symbol.sym }, 'stored candles could not be read');
  }
}
