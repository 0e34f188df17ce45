/** Counts by reason as one text: '120 because candles were missing, 3 for other reasons'. */
import { groupedCount } from '#domain/format/count.ts';
import type { MissReason } from '#domain/record/ledger/miss-reasons.ts';

const MISS_WORDS: Readonly<Record<MissReason, string>> = {
  'venue-unavailable': 'no venue answered',
  'candle-late': 'the last candle came too late',
  'too-few-candles': 'there were too few candles before them',
  'market-closed': 'the market was closed within its hours',
  'forecast-failed': 'the model failed',
  'clock-behind': 'our clock stood behind the record',
  'not-written': 'they could not be written down',
  'out-of-time': 'the minute was over before they were made',
};

/**
 * @param words  text per reason, in display order; other reasons are counted together
 * @returns '' without any count
 */
export function describeReasons(
  counts: Readonly<Record<string, number>>,
  words: Readonly<Record<string, string>>,
): string {
  const named = Object.keys(words).filter((reason) => (counts[reason] ?? 0) > 0);
  const others = sumOf(counts) - named.reduce((sum, reason) => sum + (counts[reason] ?? 0), 0);
  const told = named.map((reason) => `${groupedCount(counts[reason] ?? 0)} because ${words[reason]}`);
  return [...told, ...(others > 0 ? [`${groupedCount(others)} for other reasons`] : [])].join(', ');
}

/** @param missed  all missed slots; those that no server saw have no reason */
export function describeMissed(missed: number, reasons: Readonly<Record<string, number>>): string {
  const unseen = missed - sumOf(reasons);
  const told = missed === 0 ? '' : describeReasons(reasons, MISS_WORDS);
  return [told, unseen > 0 ? `${groupedCount(unseen)} while no server ran` : '']
    .filter((part) => part !== '')
    .join(', ');
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
