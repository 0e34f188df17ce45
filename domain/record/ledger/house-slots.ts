/** Slots within trading hours. The calendar alone decides, so anyone can count what is missing. */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { isInWeek, isOpen } from '../../market/calendar/trading-hours.ts';
import { MINUTE_S } from '../../market/candle.ts';
import type { MarketKind, MarketSymbol } from '../../market/symbols.ts';
import { SLOT_S } from './ledger.ts';

const DAY_S = 86_400;
/** Start of the last forecast minute, counted from the slot; the first minute is the slot's own. */
const LAST_MINUTE_S = (HORIZON_BARS - 1) * MINUTE_S;
/** Most days cached before the cache is cleared: two years of four exchanges. */
const MAX_DAYS = 4096;

type Traded = Pick<MarketSymbol, 'hours'>;

/** True when the model's last candle and all fifty that follow are traded. No exchange closes for under an hour. */
export function isSlotDue({ hours }: Traded, kind: MarketKind, slotS: number): boolean {
  if (hours === 'always') return true;
  // A replay shows recorded days, so today's holidays do not apply.
  const isTraded = (atS: number): boolean => (kind === 'replayed' ? isInWeek(hours, atS) : isOpen(hours, atS));
  return [slotS - MINUTE_S, slotS, slotS + LAST_MINUTE_S].every(isTraded);
}

export function slotOf(epochS: number): number {
  return Math.floor(epochS / SLOT_S) * SLOT_S;
}

/** How many forecasts of a symbol one model should have in slots `[fromS, toS)`. */
export function expectedIn(symbol: Traded, kind: MarketKind, fromS: number, toS: number): number {
  const firstS = Math.ceil(fromS / SLOT_S) * SLOT_S;
  if (symbol.hours === 'always') return Math.max(0, Math.ceil((toS - firstS) / SLOT_S));
  let count = 0;
  for (let atS = firstS; atS < toS; ) {
    const isWholeDay = atS % DAY_S === 0 && atS + DAY_S <= toS;
    count += isWholeDay ? dueOn(symbol, kind, atS) : Number(isSlotDue(symbol, kind, atS));
    atS += isWholeDay ? DAY_S : SLOT_S;
  }
  return count;
}

const days = new Map<string, number>();

/** Count for a whole UTC day. Cached, because counting a year of an exchange's calendar takes a tenth of a second. */
function dueOn(symbol: Traded, kind: MarketKind, dayS: number): number {
  const key = `${symbol.hours} ${kind === 'replayed'} ${dayS}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  let count = 0;
  for (let atS = dayS; atS < dayS + DAY_S; atS += SLOT_S) count += Number(isSlotDue(symbol, kind, atS));
  if (days.size >= MAX_DAYS) days.clear();
  days.set(key, count);
  return count;
}
