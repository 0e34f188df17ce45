/** Splits a candle's volume into the sizes of its trades, exactly: whole units of the volume's own last decimal. */
import { decimalText } from '#domain/market/codecs/decimal-text.ts';

/** Up to so many digits a 64-bit float gives every decimal text back. */
const EXACT_DIGITS = 15;

export interface VolumeShares {
  /** Size of each trade, above zero as far as the volume has that many units. */
  sizes: number[];
  /** Sum of the sizes up to each trade, exact; the last is the volume itself. */
  totals: number[];
}

/**
 * @param volume  not negative
 * @param weights  one for each trade, positive: what it should have in proportion
 */
export function shareVolume(volume: number, weights: readonly number[]): VolumeShares {
  const count = weights.length;
  const [whole = '0', fraction = ''] = decimalText(volume).split('.');
  const decimals = fraction.length;
  const isExact = (whole + fraction).replace(/^0+/, '').length <= EXACT_DIGITS;
  // What no float can split exactly is one trade's whole.
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
    // One unit each, and of the others what the weights so far have earned.
    const total = i === count - 1 ? units : i + 1 + Math.min(free, Math.floor((free * passed) / weightSum));
    sizes.push(toNumber(total - before));
    totals.push(toNumber(total));
    before = total;
  }
  return { sizes, totals };
}

/** The number nearest to `unitCount` times ten to the minus `decimals`: never a product with its rounding. */
export function fromUnits(unitCount: number, decimals: number): number {
  return decimals === 0 ? unitCount : Number(`${unitCount}e-${decimals}`);
}
