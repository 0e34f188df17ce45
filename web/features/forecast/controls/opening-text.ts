/** When a closed market opens. Loads with the first closed market: the calendar of exchanges is large. */
import { waitText } from '#domain/format/relative-time.ts';
import { zonedWeekMinute } from '#domain/format/zoned-time.ts';
import { nextOpen } from '#domain/market/calendar/trading-hours.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

/** 'Opens Mon 14:30 (in 1 d 18 h)'. @param zone  of the page's times */
export function openingText({ hours }: Pick<MarketSymbol, 'hours'>, nowMs: number, zone: string): string {
  // The minute that runs now is closed, whatever the calendar has for it.
  const opensMs = nextOpen(hours, nowMs / 1000 + 60) * 1000;
  return `Opens ${zonedWeekMinute(opensMs, zone)} (in ${waitText(opensMs - nowMs)})`;
}
