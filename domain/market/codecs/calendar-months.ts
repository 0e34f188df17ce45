/**
 * Bars of UTC calendar months, built from days and weeks because the venue has no months. Recent months are built from
 * days and are exact. Older ones are built from weeks: a week that spans two months counts in the month in which it
 * began.
 */
import { decimalText } from './decimal-text.ts';
import type { KrakenRow } from './kraken-ohlc.ts';

/** Oldest first, one a month; the last is unfinished. Months not covered by `days` from day 1 are built from weeks. */
export function toCalendarMonths(days: readonly KrakenRow[], weeks: readonly KrakenRow[]): KrakenRow[] {
  const firstWholeS = days.find((row) => row[0] === monthStartS(row[0]))?.[0] ?? Number.POSITIVE_INFINITY;
  const byMonth = new Map<number, KrakenRow[]>();
  const parts = [
    ...weeks.filter((row) => monthStartS(row[0]) < firstWholeS),
    ...days.filter((row) => row[0] >= firstWholeS),
  ];
  for (const row of parts) {
    const startS = monthStartS(row[0]);
    byMonth.set(startS, [...(byMonth.get(startS) ?? []), row]);
  }
  return [...byMonth].sort(([a], [b]) => a - b).flatMap(([startS, rows]) => joined(startS, rows));
}

function monthStartS(timeS: number): number {
  const date = new Date(timeS * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
}

function joined(startS: number, rows: readonly KrakenRow[]): KrakenRow[] {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const volume = rows.reduce((sum, row) => sum + Number(row[6]), 0);
  const value = rows.reduce((sum, row) => sum + Number(row[5]) * Number(row[6]), 0);
  const highest = rows.reduce((best, row) => (Number(row[2]) > Number(best[2]) ? row : best));
  const lowest = rows.reduce((best, row) => (Number(row[3]) < Number(best[3]) ? row : best));
  return [
    [
      startS,
      first[1],
      highest[2],
      lowest[3],
      last[4],
      // Kraken too reports 0 for a bar without trades.
      volume === 0 ? '0.0' : rounded(value / volume),
      rounded(volume),
      rows.reduce((sum, row) => sum + row[7], 0),
    ],
  ];
}

/** Eight decimals, as Kraken's volumes have. */
function rounded(value: number): string {
  return decimalText(Number(value.toFixed(8)));
}
