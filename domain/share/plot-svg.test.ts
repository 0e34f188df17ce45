import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forecastPlot } from './forecast-plot.ts';
import type { ForecastContent, ForecastSubject } from './forecast-view.ts';
import { type PlotText, plotSvg } from './plot-svg.ts';

const FONT_PX = 10;
const widthOf = (text: string): number => text.length * 6;
const SUBJECT: ForecastSubject = {
  id: null,
  origin: 'house',
  label: 'BTC',
  model: 'bobcat',
  timeframe: '1min',
  market: 'live',
  decimals: 1,
  joinS: 1_790_000_040,
  issuedMs: 1_790_000_101_000,
  seal: null,
};

function drawnAt(minutes: readonly number[], name: (minute: number) => string) {
  const content: ForecastContent = {
    lastClose: 100,
    history: [],
    path: [],
    bandBars: [],
    outcome: [],
    band: { lower80: [], upper80: [], lower95: [], upper95: [] },
    releases: {
      list: minutes.map((minute) => ({
        atS: SUBJECT.joinS + 60 * (minute + 1),
        kind: 'jobs',
        title: '',
        name: name(minute),
      })),
      factor: 2,
      isComplete: true,
    },
  };
  const size = { width: 400, height: 200, axisWidth: 50, axisHeight: 20, historyBars: 40, prices: 3, times: 3 };
  const plot = forecastPlot(SUBJECT, content, size);
  const texts: PlotText[] = [];
  const svg = plotSvg(plot, {
    name: 'test',
    fontPx: FONT_PX,
    widthOf,
    textOf(label) {
      texts.push(label);
      return '';
    },
  });
  const labels = texts
    .filter(({ text }) => text.startsWith('US '))
    .map(({ x, text, anchor }) => (anchor === 'end' ? [x - widthOf(text), x] : [x, x + widthOf(text)]));
  return { plot, svg, labels: labels as [number, number][] };
}

test('draws a dashed line for each release, whether or not its name has room', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 49 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 80 }),
      (minutes, length) => {
        const sorted = minutes.toSorted((a, b) => a - b);
        const { plot, svg, labels } = drawnAt(sorted, (minute) => `US ${minute}`.padEnd(length, 'x'));

        expect(svg.match(/<path class="release" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(sorted.length);
        let takenX = plot.joinX;
        for (const [left, right] of labels) {
          expect(left).toBeGreaterThanOrEqual(takenX);
          expect(right).toBeLessThanOrEqual(plot.innerWidth);
          takenX = right;
          expect(plot.releases.filter(({ at }) => at > left && at < right)).toEqual([]);
        }
      },
    ),
  );
});

test('names a release at the end of the forecast on the left of its line', () => {
  const { plot, labels } = drawnAt([10, 49], () => 'US CPI');

  expect(labels).toHaveLength(2);
  const [[first] = [0], [, last] = [0, 0]] = labels;
  expect(first).toBeGreaterThan(plot.releases[0]?.at ?? 0);
  expect(last).toBeLessThan(plot.releases[1]?.at ?? 0);
});
