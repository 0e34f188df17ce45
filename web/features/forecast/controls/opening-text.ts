/** When a closed market opens. Loads with the first closed market: the calendar of exchanges is large. */
import { zonedWeekMinute } from '#domain/format/zoned-time.ts';
import { nextOpen } from '#domain/market/calendar/trading-hours.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

const MINUTE_MS = 60_000;

/** 'Opens Mon 14:30 (in 1 d 18 h)'. @param zone  of the page's times */
export function openingText({ hours }: Pick<MarketSymbol, 'hours'>, nowMs: number, zone: string): string {
  // The minute that runs now is closed, whatever the calendar has for it.
  const opensMs = nextOpen(hours, nowMs / 1000 + 60) * 1000;
  return `Opens ${zonedWeekMinute(opensMs, zone)} (in ${waitText(opensMs - nowMs)})`;
}

function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
