/** The chart of a forecast's documents: the plot twice, for wide and for narrow screens, with its key and as a table. */

import { releaseNamesByBar } from '#domain/forecast/releases/release-bars.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import { short } from '#domain/picture/candle-paths.ts';
import { forecastPlot, type PlotSize } from '#domain/share/forecast-plot.ts';
import { forecastTitle, forecastVerdict, releasesSentence } from '#domain/share/forecast-verdict.ts';
import { barTimeS, type ForecastContent, type ForecastView } from '#domain/share/forecast-view.ts';
import { type PlotText, plotSvg } from '#domain/share/plot-svg.ts';

interface Drawing {
  name: 'wide' | 'narrow';
  fontPx: number;
  size: PlotSize;
}

export const PAGE_DRAWINGS: readonly Drawing[] = [
  {
    name: 'wide',
    fontPx: 12,
    size: { width: 1056, height: 420, axisWidth: 84, axisHeight: 24, historyBars: 70, prices: 6, times: 10 },
  },
  {
    name: 'narrow',
    fontPx: 11,
    size: { width: 334, height: 300, axisWidth: 68, axisHeight: 22, historyBars: 40, prices: 6, times: 4 },
  },
];
export const EMBED_DRAWINGS: readonly Drawing[] = [
  {
    name: 'wide',
    fontPx: 12,
    size: { width: 640, height: 280, axisWidth: 80, axisHeight: 24, historyBars: 70, prices: 5, times: 7 },
  },
  {
    name: 'narrow',
    fontPx: 11,
    size: { width: 336, height: 240, axisWidth: 68, axisHeight: 22, historyBars: 40, prices: 5, times: 4 },
  },
];

/** Width of a character of the axes' font. */
const FIGURE_EM = 0.6;

export function chartHtml(view: ForecastView, content: ForecastContent, drawings: readonly Drawing[]): string {
  const said = [`Chart of ${forecastTitle(view)}.`, forecastVerdict(view), releasesSentence(view) ?? ''];
  const label = escapeHtml(said.join(' ').trim());
  return drawings
    .map(({ name, fontPx, size }) => {
      const plot = forecastPlot(view, content, size);
      const svg = plotSvg(plot, { name, fontPx, textOf, widthOf: (text) => text.length * fontPx * FIGURE_EM });
      const place = `data-join="${short(plot.joinX)}" data-step="${plot.step}"`;
      return `<svg class="plot ${name}" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${label}" ${place}>${svg}</svg>`;
    })
    .join('');
}

function textOf({ x, y, text, anchor }: PlotText): string {
  return `<text x="${short(x)}" y="${short(y)}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
}

export function keyHtml({ history, bandBars, path, releases, outcome }: ForecastContent): string {
  const entry = (shape: string, text: string): string =>
    `<span><svg viewBox="0 0 20 12" aria-hidden="true">${shape}</svg>${text}</span>`;
  return `<div class="key">${[
    ...(bandBars.length > 0
      ? [
          entry('<path class="band80" d="M0 0H20V12H0Z"/>', '80% band'),
          entry('<path class="band95" d="M0 0H20V12H0Z"/>', '95% band'),
        ]
      : []),
    ...(path.length > 0
      ? [entry('<g class="drawn"><path class="up" d="M8 2h5v8h-5z"/></g>', 'one possible path')]
      : []),
    ...((releases?.list.length ?? 0) > 0 ? [entry('<path class="release" d="M10 0V12"/>', 'scheduled release')] : []),
    ...(outcome.length > 0 ? [entry('<path class="outcome" d="M1 8L8 4L13 7L19 3"/>', 'outcome')] : []),
    ...(history.length === 0 ? ['<span>The candles before it are no longer stored.</span>'] : []),
  ].join('')}</div>`;
}

/** Every bar, for readers without the picture. */
export function tableHtml(view: ForecastView, content: ForecastContent): string {
  const { path, bandBars, band, outcome } = content;
  const released = releaseNamesByBar(content.releases, view.joinS, barTimeS(view, 1) - view.joinS);
  const price = (value: number | undefined): string => (value === undefined ? '–' : formatPrice(value, view.decimals));
  const range = (low: number | undefined, high: number | undefined): string =>
    low === undefined ? '–' : `${price(low)} to ${price(high)}`;
  const closes = new Map(outcome.map(({ bar, close }) => [bar, close]));
  const bars = path.length > 0 ? path.map((_, i) => i + 1) : bandBars;
  const rows = bars.map((bar) => {
    const at = bandBars.indexOf(bar);
    const [low80, high80, low95, high95] = [band.lower80[at], band.upper80[at], band.lower95[at], band.upper95[at]];
    const close = closes.get(bar);
    const cells = [
      String(bar),
      zonedClock(barTimeS(view, bar) * 1000, 'UTC'),
      ...[price(path[bar - 1]?.close), range(low80, high80), range(low95, high95)],
      price(close),
      placeOf(close, { low80, high80, low95, high95 }),
      ...(released.size > 0 ? [escapeHtml(released.get(barTimeS(view, bar)) ?? '')] : []),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = [
    'Bar',
    'Opens (UTC)',
    'Drawn close',
    '80% band',
    '95% band',
    'Outcome',
    'Inside',
    ...(released.size > 0 ? ['Release'] : []),
  ];
  return `<div class="scroll" tabindex="0" role="region" aria-label="Every bar"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function placeOf(
  close: number | undefined,
  { low80, high80, low95, high95 }: Record<'low80' | 'high80' | 'low95' | 'high95', number | undefined>,
): string {
  if (close === undefined || low80 === undefined || high80 === undefined) return '–';
  if (close >= low80 && close <= high80) return '80%';
  return close >= (low95 ?? Number.NaN) && close <= (high95 ?? Number.NaN) ? '95%' : 'neither';
}
