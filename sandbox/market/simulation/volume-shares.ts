/** Splits a candle's volume into the sizes of its trades, exactly: whole units of the volume's last decimal. */
import { decimalText } from '#domain/market/codecs/decimal-text.ts';

/** A 64-bit float represents every decimal text of up to this many digits exactly. */
const EXACT_DIGITS = 15;

export interface VolumeShares {
  /** Size of each trade, above zero as far as the volume has that many units. */
  sizes: number[];
  /** Sum of the sizes up to each trade, exact; the last is the volume itself. */
  totals: number[];
}

/** @param volume  not negative @param weights  positive proportions, one for each trade */
export function shareVolume(volume: number, weights: readonly number[]): VolumeShares {
  const count = weights.length;
  const [whole = '0', fraction = ''] = decimalText(volume).split('.');
  const decimals = fraction.length;
  const isExact = (whole + fraction).replace(/^0+/, '').length <= EXACT_DIGITS;
  // A volume that floats cannot split exactly goes to one trade.
  if (!isExact) return { sizes: weights.map((_, i) => (i === 0 ? volume : 0)), totals: weights.map(() => volume) };

  const units = Number(whole + fraction);
  const toNumber = (unitCount: number): number => fromUnits(unitCount, decimals);
  if (units <= count) {
    const sizes = weights.map((_, i) => (i < units ? toNumber(1) : 0));
    return { sizes, totals: weights.map((_, i) => toNumber(Math.min(i + 1, units))) };
  }
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const free = units - count;
  let passed = 0;
  let before = 0;
  const sizes: number[] = [];
  const totals: number[] = [];
  for (const [i, weight] of weights.entries()) {
    passed += weight;
    // Each trade gets one unit, and its weight's share of the rest.
    const total = i === count - 1 ? units : i + 1 + Math.min(free, Math.floor((free * passed) / weightSum));
    sizes.push(toNumber(total - before));
    totals.push(toNumber(total));
    before = total;
  }
  return { sizes, totals };
}

/** The float nearest to `unitCount` times ten to the minus `decimals`, without a product's rounding error. */
export function fromUnits(unitCount: number, decimals: number): number {
  return decimals === 0 ? unitCount : Number(`${unitCount}e-${decimals}`);
}
