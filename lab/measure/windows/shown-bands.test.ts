import { expect, test } from 'vitest';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '../../../domain/market/timeframes.ts';
import { slotSecondsOf } from '../../../domain/record/ledger/ledger.ts';
import { normalDraw, seededRandom } from '../../../server/forecast/paths/random.ts';
import { normalTable } from '../quantile-tables.ts';
import { ShownBands } from './shown-bands.ts';
import { symmetricQuantiles, type WindowForecast } from './window-forecast.ts';
import type { Future } from './windows.ts';

const START_S = 1_700_000_100;
const normal = normalTable();
/** A walk of one unit a bar. */
const own: WindowForecast = {
  quantiles: symmetricQuantiles((h, level) => Math.sqrt(h) * (normal[h - 1]?.[level] ?? 0)),
  rv50: 1,
  range50: 1,
};

function futureOf(change: Float64Array): Future {
  return { change, returns: change, blended: change, rv50: 1, range50: 1 };
}

/** Widths of the 80% band at the first bar, of windows a record's slot apart. */
function widths(timeframe: Timeframe, count: number, changeAt: (i: number) => number): number[] {
  const bands = new ShownBands(timeframe, 1);
  return Array.from({ length: count }, (_, i) => {
    const change = Float64Array.from({ length: HORIZON_BARS }, (_bar, h) => changeAt(i) * Math.sqrt(h + 1));
    const [shown] = bands.next({ t0: START_S + i * slotSecondsOf(timeframe), future: futureOf(change) }, [own]);
    return shown?.quantiles[21] ?? 0;
  });
}

test.each(TIMEFRAMES)('learns an outcome of %s only once its fiftieth bar has closed', (timeframe) => {
  const slots = Math.floor((HORIZON_BARS * barSecondsOf(timeframe)) / slotSecondsOf(timeframe)) + 1;
  const found = widths(timeframe, slots + 2, (i) => (i === 0 ? 99 : 0));

  expect(new Set(found.slice(0, slots)).size).toBe(1);
  expect(found[slots]).toBeGreaterThan(found[0] ?? 0);
});

test('brings a model with bands of half the width to nominal coverage', () => {
  const random = seededRandom('shown-bands', 1);
  const draws = Array.from({ length: 6000 }, () => 2 * normalDraw(random));
  const found = widths('1min', draws.length, (i) => draws[i] ?? 0);
  const inside = found.slice(4000).filter((width, i) => Math.abs(draws[4000 + i] ?? 0) <= width);

  expect(Math.abs(inside.length / 2000 - 0.8)).toBeLessThan(0.03);
});

test('takes no more lessons than the record has forecasts', () => {
  const bands = new ShownBands('15min', 1);
  const miss = futureOf(new Float64Array(HORIZON_BARS).fill(1e6));
  const at = (i: number): number => {
    const [shown] = bands.next({ t0: START_S + i * 900, future: miss }, [own]);
    return Math.log((shown?.quantiles[21] ?? 0) / (own.quantiles[21] ?? 1));
  };
  const found = Array.from({ length: 60 }, (_, i) => at(i));

  // Of the 60, four an hour, those at 0 and 4 have ended, so two have taught.
  expect(found.findIndex((ln) => ln > 0)).toBe(51);
  expect((found[59] ?? 0) / (found[51] ?? 1)).toBeCloseTo(3, 0);
});
