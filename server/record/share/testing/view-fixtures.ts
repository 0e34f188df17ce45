/** Views of generated forecasts, for tests of pictures and pages and for looking at them. The same seed gives the same. */
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import type { ForecastContent, ForecastSubject } from '#domain/share/forecast-view.ts';
import { normalDraw, seededRandom } from '../../../forecast/paths/random.ts';

/** A whole day, so that it is a slot of every timeframe. 12 November 2025, 00:00 UTC. */
const START_S = Date.parse('2025-11-12T00:00:00Z') / 1000;
const HASH = '0a1b2c3d4e5f'.padEnd(64, '0');

export function forecastSubject(change: Partial<ForecastSubject> = {}): ForecastSubject {
  return {
    id: '12-0a1b2c3d4e5f',
    origin: 'house',
    label: 'BTC',
    model: 'lion',
    timeframe: '1min',
    market: 'live',
    decimals: 1,
    joinS: START_S,
    issuedMs: START_S * 1000 + 62_000,
    seal: { seq: 12, hash: HASH },
    ...change,
  };
}

/** @param closed  bars whose outcome is known */
export function forecastContent(
  { joinS, timeframe }: Pick<ForecastSubject, 'joinS' | 'timeframe'>,
  { closed = HORIZON_BARS, lastClose = 97_120.4, seed = 'view' } = {},
): ForecastContent {
  const barS = barSecondsOf(timeframe);
  // A bar moves with the root of its length, as prices do.
  const stepBp = 3 * Math.sqrt(barS / 60);
  const random = seededRandom(seed);
  const walk = (count: number, from: number, firstS: number): Candle[] => {
    let price = from;
    return Array.from({ length: count }, (_, i) => {
      const open = price;
      price *= Math.exp((normalDraw(random) * stepBp) / 10_000);
      const [low, high] = [
        Math.min(open, price) * (1 - stepBp / 30_000),
        Math.max(open, price) * (1 + stepBp / 30_000),
      ];
      return { time: firstS + i * barS, open, high, low, close: price };
    });
  };
  // Walked backwards from the last close, so that history ends there.
  const history = walk(HISTORY_BARS, lastClose, joinS - (HISTORY_BARS - 1) * barS);
  const shift = lastClose / (history.at(-1)?.close ?? lastClose);
  const edge = (sigmas: number) =>
    Array.from({ length: HORIZON_BARS }, (_, i) => lastClose * Math.exp((sigmas * stepBp * Math.sqrt(i + 1)) / 10_000));
  return {
    lastClose,
    history: history.map(({ time, open, high, low, close }) => ({
      time,
      open: open * shift,
      high: high * shift,
      low: low * shift,
      close: close * shift,
    })),
    path: walk(HORIZON_BARS, lastClose, joinS + barS),
    bandBars: Array.from({ length: HORIZON_BARS }, (_, i) => i + 1),
    band: { lower80: edge(-1.28), upper80: edge(1.28), lower95: edge(-1.96), upper95: edge(1.96) },
    outcome: walk(closed, lastClose, joinS + barS).map(({ close }, i) => ({ bar: i + 1, close })),
  };
}
