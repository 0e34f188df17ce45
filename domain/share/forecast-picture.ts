/**
 * A forecast's picture as SVG: the same plot as its page, with everything burnt in that a picture must say alone. Text
 * is set by the caller: the server writes outlines, because its renderer has no fonts; the browser has the site's.
 */

import { HORIZON_BARS } from '../forecast/window.ts';
import { zonedMinute } from '../format/zoned-time.ts';
import { MARK_GRID, MARK_STROKE, MARKS } from '../picture/mark-shapes.ts';
import type { PicturePalette } from '../picture/palettes.ts';
import { SITE_NAME } from '../site/page-head.ts';
import { RESEARCH_ONLY } from '../site/research-only.ts';
import { forecastPlot, type PlotSize } from './forecast-plot.ts';
import { forecastTitle, forecastVerdict, issuedText, MARKET_NOTICES, releasesSentence } from './forecast-verdict.ts';
import { type ForecastView, forecastEndS } from './forecast-view.ts';
import { plotStyle, plotSvg } from './plot-svg.ts';

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

export interface PictureOptions {
  view: ForecastView;
  shape: PictureShape;
  palette: PicturePalette;
  address: string | null;
  /** Real candles before the forecast; by default as many as the shape has room for. */
  historyBars?: number;
}

export type Weight = 400 | 600;

export interface PictureText {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  sizePx: number;
  weight?: Weight;
  anchor?: 'start' | 'middle' | 'end';
  /** Its colour, by the palette's name. */
  tone: 'text' | 'muted' | 'surface';
}

export interface TextSetter {
  widthOf(text: string, sizePx: number, weight?: Weight): number;
  /** @returns SVG, with the tone as its class; empty if the text is drawn later */
  set(text: PictureText): string;
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
    margin: 56,
    titlePx: 40,
    textPx: 25,
    smallPx: 20,
    axisPx: 18,
    pen: 1.75,
    plotTop: 202,
    verdictY: 528,
    plot: { axisWidth: 116, axisHeight: 32, historyBars: 70, prices: 5, times: 8 },
  },
  square: {
    margin: 64,
    titlePx: 46,
    textPx: 32,
    smallPx: 24,
    axisPx: 22,
    pen: 2,
    plotTop: 248,
    verdictY: 900,
    plot: { axisWidth: 136, axisHeight: 40, historyBars: 50, prices: 7, times: 6 },
  },
};

/** What is drawn so far. Text lies on top of all shapes. */
interface Sheet {
  shapes: string[];
  write(text: PictureText): void;
  widthOf: TextSetter['widthOf'];
}

export function pictureSvg(options: PictureOptions, setter: TextSetter): string {
  const { view, shape, palette } = options;
  const { width, height } = PICTURE_SIZES[shape];
  const layout = LAYOUTS[shape];
  const { historyBars: room } = layout.plot;
  const { historyBars = room } = options;
  const texts: string[] = [];
  const sheet: Sheet = {
    shapes: [],
    write: (text) => void texts.push(setter.set(text)),
    widthOf: setter.widthOf,
  };
  drawHeader(sheet, view, layout, width);
  drawContent(sheet, view, layout, { width, historyBars });
  drawFoot(sheet, options, layout);
  // Thinner strokes where candles lie closer.
  const pen = layout.pen * Math.min(1, (room + HORIZON_BARS) / (historyBars + HORIZON_BARS));
  const style = `${plotStyle((name) => String(palette[name]), { pen })}${ownStyle(palette)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>${style}</style><rect width="${width}" height="${height}" fill="${palette.surface}"/>${[...sheet.shapes, ...texts].join('')}</svg>`;
}

function ownStyle({ surface, text, muted, line, accent }: PicturePalette): string {
  return `.text{fill:${text}}.muted{fill:${muted}}.surface{fill:${surface}}.frame{fill:none;stroke:${line};stroke-width:2}.mark{fill:none;stroke:${accent};stroke-width:${MARK_STROKE};stroke-linecap:round;stroke-linejoin:round}.a{fill:${accent}}`;
}

function drawHeader(sheet: Sheet, view: ForecastView, { margin, titlePx, textPx }: Layout, width: number): void {
  const markPx = textPx * 1.5;
  const rowY = margin + textPx * 0.7;
  const titleY = rowY + titlePx * 1.65;
  const title = forecastTitle(view);
  const left = { x: margin, tone: 'text' as const };
  sheet.shapes.push(kat(margin, rowY - markPx * 0.74, markPx));
  sheet.write({ ...left, text: SITE_NAME, x: margin + markPx * 1.3, y: rowY, sizePx: textPx * 1.1, weight: 600 });
  drawMarket(sheet, view, { right: width - margin, y: rowY, sizePx: textPx * 1.1 });
  // A long name is set smaller rather than cut.
  const sizePx = Math.min(titlePx, (titlePx * (width - 2 * margin)) / sheet.widthOf(title, titlePx, 600));
  sheet.write({ ...left, text: title, y: titleY, sizePx, weight: 600 });
  sheet.write({ ...left, text: issuedText(view), y: titleY + textPx * 1.45, sizePx: textPx * 0.92, tone: 'muted' });
}

function kat(x: number, y: number, sizePx: number): string {
  const shapes = MARKS.kat.map(({ d, width, isFilled }) => {
    const pen = width === undefined ? '' : ` stroke-width="${width}"`;
    return `<path d="${d}"${pen}${isFilled ? ' class="a"' : ''}/>`;
  });
  return `<g class="mark" transform="translate(${x} ${y}) scale(${sizePx / MARK_GRID})">${shapes.join('')}</g>`;
}

/** The kind of market in capitals, dark on light and light on dark: no preview is so small that it is overlooked. */
function drawMarket(
  sheet: Sheet,
  { market }: ForecastView,
  { right, y, sizePx }: { right: number; y: number; sizePx: number },
): void {
  const text = MARKET_NOTICES[market]?.toUpperCase();
  if (text === undefined) return;
  const padding = sizePx * 0.7;
  const width = sheet.widthOf(text, sizePx, 600) + 2 * padding;
  const height = sizePx * 1.7;
  sheet.shapes.push(
    `<rect class="text" x="${right - width}" y="${y - sizePx * 1.2}" width="${width}" height="${height}" rx="${sizePx * 0.35}"/>`,
  );
  sheet.write({ text, x: right - padding, y, sizePx, weight: 600, anchor: 'end', tone: 'surface' });
}

function drawContent(
  sheet: Sheet,
  view: ForecastView,
  layout: Layout,
  { width, historyBars }: { width: number; historyBars: number },
): void {
  const { margin, plotTop, axisPx } = layout;
  const size = {
    ...layout.plot,
    historyBars,
    width: width - 2 * margin,
    height: layout.verdictY - plotTop - layout.textPx * 1.6,
  };
  const inPlot: Sheet = {
    ...sheet,
    write: (text) => sheet.write({ ...text, x: text.x + margin, y: text.y + plotTop }),
  };
  if (view.content === null) {
    drawSealed({ sheet: inPlot, view, layout, size });
    return;
  }
  const svg = plotSvg(forecastPlot(view, view.content, size), {
    name: 'picture',
    fontPx: axisPx,
    widthOf: (text) => sheet.widthOf(text, axisPx),
    textOf(label) {
      inPlot.write({ ...label, sizePx: axisPx, tone: 'muted' });
      return '';
    },
  });
  sheet.shapes.push(`<g transform="translate(${margin} ${plotTop})">${svg}</g>`);
}

const HASH_LINE = 32;

interface SealedPanel {
  sheet: Sheet;
  view: ForecastView;
  layout: Layout;
  size: PlotSize;
}

/** What may be shown of a sealed forecast: that it is there, its hash, and when it opens. */
function drawSealed({ sheet, view, layout, size: { width, height } }: SealedPanel): void {
  const { textPx, titlePx, smallPx, margin, plotTop } = layout;
  const middle = { x: width / 2, anchor: 'middle' as const, tone: 'text' as const };
  const hash = view.seal?.hash ?? '';
  const top = height / 2 - titlePx;
  const opensY = top + textPx * 1.8;
  const opens = `Opens ${zonedMinute(forecastEndS(view) * 1000, 'UTC')}`;
  sheet.shapes.push(
    `<rect class="frame" x="${margin + 1}" y="${plotTop + 1}" width="${width - 2}" height="${height - 2}" rx="12" stroke-dasharray="10 8"/>`,
  );
  sheet.write({ ...middle, text: 'Sealed', y: top, sizePx: titlePx, weight: 600 });
  sheet.write({ ...middle, text: opens, y: opensY, sizePx: textPx });
  for (const [line, text] of [hash.slice(0, HASH_LINE), hash.slice(HASH_LINE)].entries())
    sheet.write({ ...middle, text, y: opensY + smallPx * (2.2 + line * 1.4), sizePx: smallPx, tone: 'muted' });
}

function drawFoot(sheet: Sheet, { view, shape, address }: PictureOptions, layout: Layout): void {
  const { margin, textPx, smallPx, verdictY } = layout;
  const { width, height } = PICTURE_SIZES[shape];
  const y = height - margin * 0.62;
  const small = { y, sizePx: smallPx, tone: 'muted' as const };
  const left = width - 2 * margin - sheet.widthOf(RESEARCH_ONLY, smallPx) - smallPx;
  const lineOf = { x: margin, sizePx: textPx, weight: 600 as const, tone: 'text' as const };
  const verdict = textLines(forecastVerdict(view), width - 2 * margin, textPx, sheet.widthOf);
  for (const [line, text] of verdict.entries()) sheet.write({ ...lineOf, text, y: verdictY + line * textPx * 1.3 });
  const releases = releasesSentence(view);
  const releasesY = verdictY + (verdict.length - 1) * textPx * 1.3 + smallPx * 1.5;
  // Where it has no room, the line of the plot says it alone.
  const hasRoom = releases !== null && sheet.widthOf(releases, smallPx) <= width - 2 * margin;
  if (hasRoom && releasesY <= y - smallPx * 1.4) sheet.write({ ...small, text: releases, x: margin, y: releasesY });
  sheet.write({ ...small, text: RESEARCH_ONLY, x: margin });
  if (address === null) return;
  // A long address would run into the notice: then the site alone is named, or nothing.
  const [site = ''] = address.split('/');
  const text = [address, site].find((one) => sheet.widthOf(one, smallPx) <= left);
  if (text !== undefined) sheet.write({ ...small, text, x: width - margin, anchor: 'end' });
}

/** Breaks text at spaces. A word that is wider than a line gets a separate line. */
function textLines(text: string, widthPx: number, sizePx: number, widthOf: TextSetter['widthOf']): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, sizePx, 600) <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
