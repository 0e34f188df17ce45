/** How each venue refuses in the body of an answer, whatever its status: one table for candles and product lists. */
import { binanceRefusal } from '#domain/market/codecs/binance-klines.ts';
import { bybitRefusal } from '#domain/market/codecs/bybit-klines.ts';
import { krakenErrorsOf } from '#domain/market/codecs/kraken-refusal.ts';
import { okxRefusal } from '#domain/market/codecs/okx-candles.ts';
import { type BodyRefusal, codedRefusals, type ReadRefusal } from '../../platform/feeds/body-refusal.ts';

/** Coinbase refuses by status alone. The failing ones are unavailable, timed out or busy on their side. */
export const VENUE_REFUSALS = {
  binance: codedRefusals(binanceRefusal, {
    'too-many': [-1003, -1015],
    failing: [-1000, -1001, -1006, -1007, -1008, -1016],
  }),
  bybit: codedRefusals(bybitRefusal, { 'too-many': [10006, 10018], banned: [10009], failing: [10000, 10016] }),
  okx: codedRefusals(okxRefusal, { 'too-many': [50011, 50061], failing: [50001, 50004, 50013, 50026] }),
  kraken: krakenRefusal,
} as const satisfies Record<string, ReadRefusal>;

/** Kraken's codes are texts: severity, category and reason. */
const KRAKEN_KINDS: readonly [RegExp, BodyRefusal['kind']][] = [
  [/lockout/i, 'banned'],
  [/too many|rate limit|throttled/i, 'too-many'],
  [/^EService:|internal error/i, 'failing'],
];

export function krakenRefusal(answer: unknown): BodyRefusal | null {
  const errors = krakenErrorsOf(answer);
  if (errors.length === 0) return null;
  const [, kind] = KRAKEN_KINDS.find(([pattern]) => errors.some((error) => pattern.test(error))) ?? [null, 'mistaken'];
  return { reason: errors.join(', '), kind };
}
