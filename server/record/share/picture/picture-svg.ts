/** A forecast's picture as SVG: the same plot as its page, with everything burnt in that a picture must say alone. */

import { zonedMinute } from '#domain/format/zoned-time.ts';
import { MARK_GRID, MARK_STROKE, MARKS } from '#domain/picture/mark-shapes.ts';
import { PALETTES, type PicturePalette } from '#domain/picture/palettes.ts';
import { forecastPlot, type PlotSize } from '#domain/share/forecast-plot.ts';
import { forecastTitle, forecastVerdict, issuedText, MARKET_NOTICES } from '#domain/share/forecast-verdict.ts';
import { type ForecastView, forecastEndS } from '#domain/share/forecast-view.ts';
import { plotStyle, plotSvg } from '#domain/share/plot-svg.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { setText, textLines, textWidth } from './set-text.ts';

export const PICTURE_SHAPES = ['wide', 'square'] as const;
export type PictureShape = (typeof PICTURE_SHAPES)[number];
export const PICTURE_THEMES = ['dark', 'light'] as const;
export type PictureTheme = (typeof PICTURE_THEMES)[number];

export interface PictureForm {
  shape: PictureShape;
  theme: PictureTheme;
}

/** What the renderer needs, as a message to another process. */
export interface PictureOrder extends PictureForm {
  view: ForecastView;
  /** Where the forecast is found, as text: 'kat.example/f/12-0a1b2c3d4e5f'. Null: not named. */
  address: string | null;
}

export const PICTURE_SIZES: Readonly<Record<PictureShape, { width: number; height: number }>> = {
  wide: { width: 1200, height: 630 },
  square: { width: 1080, height: 1080 },
};

interface Layout {
  margin: number;
  titlePx: number;
  textPx: number;
  smallPx: number;
  axisPx: number;
  /** Top of the plot. */
  plotTop: number;
  /** Baseline of the first line of the sentence. */
  verdictY: number;
  pen: number;
  plot: Omit<PlotSize, 'width' | 'height'>;
}

const LAYOUTS: Readonly<Record<PictureShape, Layout>> = {
  wide: {
    ...{ margin: 56, titlePx: 40, textPx: 25, smallPx: 20, axisPx: 18, pen: 1.75 },
    ...{ plotTop: 202, verdictY: 528 },
    plot: { axisWidth: 116, axisHeight: 32, historyBars: 70, prices: 5, times: 8 },
  },
  square: {
    ...{ margin: 64, titlePx: 46, textPx: 32, smallPx: 24, axisPx: 22, pen: 2 },
    ...{ plotTop: 248, verdictY: 900 },
    plot: { axisWidth: 136, axisHeight: 40, historyBars: 50, prices: 7, times: 6 },
  },
};

export function pictureSvg({ view, shape, theme, address }: PictureOrder): string {
  const { width, height } = PICTURE_SIZES[shape];
  const palette = PALETTES[theme];
  const layout = LAYOUTS[shape];
  const parts = [header(view, layout, width), content(view, shape), foot(view, layout, { width, height, address })];
  const style = `${plotStyle((name) => String(palette[name]), { pen: layout.pen })}${ownStyle(palette)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>${style}</style><rect width="${width}" height="${height}" fill="${palette.surface}"/>${parts.join('')}</svg>`;
}

function ownStyle({ surface, text, muted, line, accent }: PicturePalette): string {
  return `.t{fill:${text}}.m{fill:${muted}}.i{fill:${surface}}.pill{fill:${text}}.frame{fill:none;stroke:${line};stroke-width:2}.mark{fill:none;stroke:${accent};stroke-width:${MARK_STROKE};stroke-linecap:round;stroke-linejoin:round}.a{fill:${accent}}`;
}

function header(view: ForecastView, { margin, titlePx, textPx }: Layout, width: number): string {
  const markPx = textPx * 1.5;
  const rowY = margin + textPx * 0.7;
  const titleY = rowY + titlePx * 1.65;
  return [
    kat(margin, rowY - markPx * 0.74, markPx),
    setText({ text: SITE_NAME, x: margin + markPx * 1.3, y: rowY, sizePx: textPx * 1.1, weight: 600, className: 't' }),
    marketPill(view, { right: width - margin, y: rowY, sizePx: textPx * 1.1 }),
    setText({
      text: forecastTitle(view),
      x: margin,
      y: titleY,
      sizePx: fitting(forecastTitle(view), titlePx, width - 2 * margin),
      weight: 600,
      className: 't',
    }),
    setText({ text: issuedText(view), x: margin, y: titleY + textPx * 1.45, sizePx: textPx * 0.92, className: 'm' }),
  ].join('');
}

/** A long name is set smaller rather than cut. */
function fitting(text: string, sizePx: number, widthPx: number): number {
  return Math.min(sizePx, (sizePx * widthPx) / textWidth(text, sizePx, 600));
}

function kat(x: number, y: number, sizePx: number): string {
  const shapes = MARKS.kat.map(({ d, width, isFilled }) => {
    const pen = width === undefined ? '' : ` stroke-width="${width}"`;
    return `<path d="${d}"${pen}${isFilled ? ' class="a"' : ''}/>`;
  });
  return `<g class="mark" transform="translate(${x} ${y}) scale(${sizePx / MARK_GRID})">${shapes.join('')}</g>`;
}

/** The kind of market in capitals, dark on light and light on dark: no preview is so small that it is overlooked. */
function marketPill(
  { market }: ForecastView,
  { right, y, sizePx }: { right: number; y: number; sizePx: number },
): string {
  const text = MARKET_NOTICES[market]?.toUpperCase();
  if (text === undefined) return '';
  const padding = sizePx * 0.7;
  const width = textWidth(text, sizePx, 600) + 2 * padding;
  const height = sizePx * 1.7;
  return [
    `<rect class="pill" x="${right - width}" y="${y - sizePx * 1.2}" width="${width}" height="${height}" rx="${sizePx * 0.35}"/>`,
    setText({ text, x: right - padding, y, sizePx, weight: 600, anchor: 'end', className: 'i' }),
  ].join('');
}

function content(view: ForecastView, shape: PictureShape): string {
  const { width } = PICTURE_SIZES[shape];
  const layout = LAYOUTS[shape];
  const size = {
    ...layout.plot,
    width: width - 2 * layout.margin,
    height: layout.verdictY - layout.plotTop - layout.textPx * 1.6,
  };
  const place = `translate(${layout.margin} ${layout.plotTop})`;
  if (view.content === null) return `<g transform="${place}">${sealedPanel(view, layout, size)}</g>`;
  const plot = forecastPlot(view, view.content, size);
  const svg = plotSvg(plot, {
    name: 'picture',
    fontPx: layout.axisPx,
    textOf: ({ x, y, text, anchor }) => setText({ text, x, y, anchor, sizePx: layout.axisPx }),
  });
  return `<g transform="${place}">${svg}</g>`;
}

const HASH_LINE = 32;

/** What may be shown of a sealed forecast: that it is there, its hash, and when it opens. */
function sealedPanel(view: ForecastView, { textPx, titlePx, smallPx }: Layout, { width, height }: PlotSize): string {
  const middle = { x: width / 2, anchor: 'middle' as const };
  const hash = view.seal?.hash ?? '';
  const top = height / 2 - titlePx;
  return [
    `<rect class="frame" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="12" stroke-dasharray="10 8"/>`,
    setText({ ...middle, text: 'Sealed', y: top, sizePx: titlePx, weight: 600, className: 't' }),
    setText({
      ...middle,
      text: `Opens ${zonedMinute(forecastEndS(view) * 1000, 'UTC')}`,
      y: top + textPx * 1.8,
      sizePx: textPx,
      className: 't',
    }),
    ...[hash.slice(0, HASH_LINE), hash.slice(HASH_LINE)].map((text, line) =>
      setText({
        ...middle,
        text,
        y: top + textPx * 1.8 + smallPx * (2.2 + line * 1.4),
        sizePx: smallPx,
        className: 'm',
      }),
    ),
  ].join('');
}

function foot(
  view: ForecastView,
  { margin, textPx, smallPx, verdictY }: Layout,
  { width, height, address }: { width: number; height: number; address: string | null },
): string {
  const y = height - margin * 0.62;
  const left = width - 2 * margin - textWidth(RESEARCH_ONLY, smallPx) - smallPx;
  // A long address would run into the notice: then the site alone is named.
  const fits = (text: string): string => (textWidth(text, smallPx) <= left ? text : (text.split('/')[0] ?? ''));
  const lines = textLines(forecastVerdict(view), width - 2 * margin, textPx, 600);
  return [
    ...lines.map((text, line) =>
      setText({ text, x: margin, y: verdictY + line * textPx * 1.3, sizePx: textPx, weight: 600, className: 't' }),
    ),
    setText({ text: RESEARCH_ONLY, x: margin, y, sizePx: smallPx, className: 'm' }),
    address === null
      ? ''
      : setText({ text: fits(address), x: width - margin, y, sizePx: smallPx, anchor: 'end', className: 'm' }),
  ].join('');
}
