import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { groupedCount } from '#domain/format/count.ts';
import { formatChange, formatPrice } from '#domain/format/price.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { RecordCard } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import type { MissReason } from '#domain/record/ledger/miss-reasons.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { VOID_MESSAGES } from './track-record-labels.ts';

/** For the text alternative of its picture. */
export function describeSketch(card: RecordCard): string {
  const { pathBp, band80Bp, band95Bp, actualBp } = card;
  const unit = timeframeOfRecord(card) === DEFAULT_TIMEFRAME ? 'minute' : 'bar';
  const parts = SCORED_BARS.map((bar, i) => {
    const forecast = `path ${formatChange(pathBp[i] ?? 0, 1)}, 80% band ±${formatPrice(band80Bp[i] ?? 0, 1)}, 95% band ±${formatPrice(band95Bp[i] ?? 0, 1)}`;
    return `${unit} ${bar}: ${forecast}${actualBp === null ? '' : `, outcome ${formatChange(actualBp[i] ?? 0, 1)}`}`;
  });
  return `${cardTitle(card)}, in basis points from the last close. ${parts.join('; ')}.`;
}

export function cardTitle({ sym, model }: RecordCard): string {
  return `${marketLabel(sym)}, ${shortName(model)}`;
}

/** Where the actual closes were: 'inside the 80% band at 4 of 5'. */
export function describeInside({ actualBp, band80Bp, band95Bp }: RecordCard): string {
  if (actualBp === null) return '';
  const inside = (halves: readonly number[]) => actualBp.filter((bp, i) => Math.abs(bp) <= (halves[i] ?? 0)).length;
  return `inside the 80% band at ${inside(band80Bp)} of ${actualBp.length} horizons, inside the 95% band at ${inside(band95Bp)}`;
}

/** Error of the forecast path and of the last close at the last bar, basis points; null until known. */
export function lastErrors({ actualBp, pathBp }: RecordCard): { path: number; lastClose: number } | null {
  const [actual, drawn] = [actualBp?.at(-1), pathBp.at(-1)];
  if (actual === undefined || drawn === undefined) return null;
  return { path: Math.abs(actual - drawn), lastClose: Math.abs(actual) };
}

export function describeState({ state, voidReason }: RecordCard): string {
  if (state === 'waiting') return 'not scored yet';
  if (state === 'known') return 'scored';
  return voidReason === null ? 'void' : `void: ${VOID_MESSAGES[voidReason]}`;
}

/** URL fragment that starts a check of one record. */
export function checkAddress(seq: number): string {
  return `#check-${seq}`;
}

/** @returns null for a fragment that starts no check */
export function checkedSeq(hash: string): number | null {
  const digits = /^#check-(\d{1,15})$/.exec(hash)?.[1];
  return digits === undefined ? null : Number(digits);
}

const MISS_MESSAGES: Readonly<Record<MissReason, string>> = {
  'venue-unavailable': 'no venue responded',
  'candle-late': 'the last candle arrived too late',
  'too-few-candles': 'there were too few earlier candles',
  'market-closed': 'the market was closed during its usual hours',
  'forecast-failed': 'the model failed',
  'clock-behind': 'our clock was behind the record',
  'not-written': 'they could not be stored',
  'out-of-time': 'the minute ended before they were ready',
};

/** @param messages  text per reason, in display order; others are counted together  @returns '' without any count */
export function describeReasons(
  counts: Readonly<Record<string, number>>,
  messages: Readonly<Record<string, string>>,
): string {
  const named = Object.keys(messages).filter((reason) => (counts[reason] ?? 0) > 0);
  const others = sumOf(counts) - named.reduce((sum, reason) => sum + (counts[reason] ?? 0), 0);
  const parts = named.map((reason) => `${groupedCount(counts[reason] ?? 0)} because ${messages[reason]}`);
  return [...parts, ...(others > 0 ? [`${groupedCount(others)} for other reasons`] : [])].join(', ');
}

/** @param missed  all missed slots; those that no server saw have no reason */
export function describeMissed(missed: number, reasons: Readonly<Record<string, number>>): string {
  const unseen = missed - sumOf(reasons);
  const named = missed === 0 ? '' : describeReasons(reasons, MISS_MESSAGES);
  return [named, unseen > 0 ? `${groupedCount(unseen)} while no server was running` : '']
    .filter((part) => part !== '')
    .join(', ');
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
