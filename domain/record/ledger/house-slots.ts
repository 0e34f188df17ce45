/** Slots within trading hours. The calendar alone decides, so anyone can count what is missing. */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { isInWeek, isOpen } from '../../market/calendar/trading-hours.ts';
import type { MarketKind, MarketSymbol } from '../../market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';
import { isRecorded, slotSecondsOf } from './ledger.ts';

const DAY_S = 86_400;
/** Most days cached before the cache is cleared: two years of four exchanges. */
const MAX_DAYS = 4096;

type Traded = Pick<MarketSymbol, 'hours' | 'assetClass'>;

/** True when the model's last candle and all fifty that follow are traded. No exchange closes for under an hour. */
export function isSlotDue(
  symbol: Traded,
  kind: MarketKind,
  slotS: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): boolean {
  if (slotS !== slotOf(slotS, timeframe) || !isRecorded(symbol, timeframe)) return false;
  const { hours } = symbol;
  if (hours === 'always') return true;
  // A replay shows recorded days, so today's holidays do not apply.
  const isTraded = (atS: number): boolean => (kind === 'replayed' ? isInWeek(hours, atS) : isOpen(hours, atS));
  const barS = barSecondsOf(timeframe);
  return [slotS - barS, slotS, slotS + (HORIZON_BARS - 1) * barS].every(isTraded);
}

export function slotOf(epochS: number, timeframe: Timeframe = DEFAULT_TIMEFRAME): number {
  const slotS = slotSecondsOf(timeframe);
  return Math.floor(epochS / slotS) * slotS;
}

/** How many forecasts of a symbol one model should have in slots `[fromS, toS)`. */
export function expectedIn(
  symbol: Traded,
  kind: MarketKind,
  fromS: number,
  toS: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): number {
  if (!isRecorded(symbol, timeframe)) return 0;
  const stepS = slotSecondsOf(timeframe);
  const firstS = Math.ceil(fromS / stepS) * stepS;
  if (symbol.hours === 'always') return Math.max(0, Math.ceil((toS - firstS) / stepS));
  let count = 0;
  for (let atS = firstS; atS < toS; ) {
    const isWholeDay = atS % DAY_S === 0 && atS + DAY_S <= toS;
    count += isWholeDay ? dueOn(symbol, kind, atS, timeframe) : Number(isSlotDue(symbol, kind, atS, timeframe));
    atS += isWholeDay ? DAY_S : stepS;
  }
  return count;
}

const days = new Map<string, number>();

/** Count for a whole UTC day. Cached, because counting a year of an exchange's calendar takes a tenth of a second. */
function dueOn(symbol: Traded, kind: MarketKind, dayS: number, timeframe: Timeframe): number {
  const key = `${symbol.hours} ${kind === 'replayed'} ${dayS} ${timeframe}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  let count = 0;
  for (let atS = dayS; atS < dayS + DAY_S; atS += slotSecondsOf(timeframe))
    count += Number(isSlotDue(symbol, kind, atS, timeframe));
  if (days.size >= MAX_DAYS) days.clear();
  days.set(key, count);
  return count;
}
