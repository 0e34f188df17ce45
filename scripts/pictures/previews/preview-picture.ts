/** The picture of a link to a page: mark, title, one line, and a forecast's bands over a drawn field of candles. */
import { candleField } from '#domain/picture/candle-field.ts';
import { PALETTES } from '#domain/picture/palettes.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { candlesSvg, forecastGroundSvg, markSvg } from '../svg.ts';
import { balancedLines, type TextStyle, textSvg, textWidthPx } from './outlined-text.ts';
import type { PreviewText } from './preview-texts.ts';

export const PREVIEW = { width: 1200, height: 630 } as const;

const PALETTE = PALETTES.dark;
const GROUND = '#0b0d10';
const LEFT = 72;
const TITLE_PX = 660;
const TEXT_PX = 590;
/** The field fills the right part and fades out under the text. */
const FIELD = { width: 600, height: PREVIEW.height } as const;
const FADE_PX = 300;
const BARS = { history: 20, forecast: 12, step: 18.75, body: 11 } as const;
/** Middle of the block of title and line. */
const MIDDLE = 322;
const TITLE_LINE_PX = 84;
const LINE_PX = 46;
const GAP_PX = 30;
const MARK_PX = 56;

const NAME: TextStyle = { sizePx: 44, weight: 600, colour: PALETTE.text, letterSpacingEm: -0.02 };
/** Largest first: a title takes the largest size in which it has two lines at most. */
const TITLES: readonly TextStyle[] = [76, 64].map((sizePx) => ({
  sizePx,
  weight: 600,
  colour: PALETTE.text,
  letterSpacingEm: -0.025,
}));
const LINE: TextStyle = { sizePx: 33, weight: 400, colour: '#c3cad2', letterSpacingEm: -0.01 };
const NOTE: TextStyle = { sizePx: 22, weight: 400, colour: PALETTE.muted };
const LABEL: TextStyle = { sizePx: 24, weight: 600, colour: PALETTE.accent };

/** @param seed  of the candles: each page has its own */
export function previewSvg({ title, line, marks = [] }: PreviewText, seed: number): string {
  const { style, titles } = fitted(title);
  const lines = balancedLines(line, LINE, TEXT_PX);
  const marksPx = marks.length === 0 ? 0 : GAP_PX + MARK_PX;
  const top = MIDDLE - (titles.length * TITLE_LINE_PX + GAP_PX + lines.length * LINE_PX + marksPx) / 2;
  const linesTop = top + titles.length * TITLE_LINE_PX + GAP_PX;
  const marksTop = linesTop + lines.length * LINE_PX + GAP_PX;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW.width}" height="${PREVIEW.height}">`,
    '<defs><linearGradient id="fade">',
    `<stop offset=".38" stop-color="${GROUND}"/><stop offset="1" stop-color="${GROUND}" stop-opacity="0"/>`,
    '</linearGradient></defs>',
    `<rect width="${PREVIEW.width}" height="${PREVIEW.height}" fill="${GROUND}"/>`,
    fieldSvg(seed),
    markSvg('kat', { x: LEFT, y: 64, size: 64, colour: PALETTE.accent }),
    textSvg('Kat', NAME, LEFT + 80, 112),
    ...titles.map((text, i) => textSvg(text, style, LEFT - 4, top + i * TITLE_LINE_PX + 0.78 * TITLE_LINE_PX)),
    ...lines.map((text, i) => textSvg(text, LINE, LEFT, linesTop + i * LINE_PX + 0.72 * LINE_PX)),
    ...marks.map((name, i) =>
      markSvg(name, { x: LEFT + i * (MARK_PX + GAP_PX), y: marksTop, size: MARK_PX, colour: PALETTE.accent }),
    ),
    textSvg(RESEARCH_ONLY, NOTE, LEFT, PREVIEW.height - 64),
    '</svg>',
  ].join('');
}

function fitted(title: string): { style: TextStyle; titles: string[] } {
  const sizes = TITLES.map((style) => ({ style, titles: balancedLines(title, style, TITLE_PX) }));
  const found = sizes.find(({ titles }) => titles.length <= 2);
  if (found === undefined) throw new Error(`The title is too long for a preview: ${title}`);
  return found;
}

function fieldSvg(seed: number): string {
  const field = candleField({
    seed,
    historyBars: BARS.history,
    forecastBars: BARS.forecast,
    step: BARS.step,
    bodyWidth: BARS.body,
    fill: 0.5,
    ...FIELD,
  });
  const labelX = field.joinX + 14;
  return [
    `<g transform="translate(${PREVIEW.width - FIELD.width} 0)">`,
    forecastGroundSvg(field, PALETTE, FIELD),
    candlesSvg(field.history, { ...PALETTE, surface: GROUND }, false, 2),
    candlesSvg(field.forecast, PALETTE, true, 2),
    `<rect width="${FADE_PX}" height="${FIELD.height}" fill="url(#fade)"/>`,
    labelX + textWidthPx('forecast', LABEL) < FIELD.width ? textSvg('forecast', LABEL, labelX, 50) : '',
    '</g>',
  ].join('');
}
