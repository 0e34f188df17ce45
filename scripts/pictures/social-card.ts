/** The preview picture of a link to the site: mark, name, the honest line, a drawn field of candles. */
import sharp from 'sharp';
import { candleField } from '#domain/picture/candle-field.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { HONEST_LINE } from '../../web/content/honest-line.ts';
import { PALETTES } from './palettes.ts';
import { setTexts } from './set-text.ts';
import { candlesSvg, forecastGroundSvg, markSvg } from './svg.ts';

export const CARD = { width: 1200, height: 630 } as const;
/** The field fills the card's right part and fades out under the text. */
const FIELD = { width: 690, height: 630 } as const;
const LEFT = 72;

export async function socialCard(): Promise<Buffer> {
  const { text, muted, accent } = PALETTES.dark;
  const texts = await setTexts([
    { text: 'Kat', sizePx: 88, weight: 600, colour: text, x: LEFT + 128, y: 92, letterSpacingEm: -0.02 },
    {
      text: HONEST_LINE,
      sizePx: 43,
      weight: 500,
      colour: text,
      x: LEFT,
      y: 250,
      widthPx: 540,
      letterSpacingEm: -0.015,
    },
    { text: RESEARCH_ONLY, sizePx: 22, weight: 400, colour: muted, x: LEFT, y: 540 },
    { text: 'forecast', sizePx: 24, weight: 500, colour: accent, x: CARD.width - FIELD.width + 456 + 14, y: 24 },
  ]);
  return sharp(Buffer.from(groundSvg()))
    .composite(texts)
    .png({ compressionLevel: 9, palette: true, colours: 128, dither: 0 })
    .toBuffer();
}

function groundSvg(): string {
  const palette = PALETTES.dark;
  const field = candleField({ seed: 271, historyBars: 24, forecastBars: 12, step: 19, bodyWidth: 11, ...FIELD });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}">`,
    '<defs><linearGradient id="fade"><stop offset=".3" stop-color="#0b0d10"/>',
    '<stop offset="1" stop-color="#0b0d10" stop-opacity="0"/></linearGradient></defs>',
    `<rect width="${CARD.width}" height="${CARD.height}" fill="#0b0d10"/>`,
    `<g transform="translate(${CARD.width - FIELD.width} 0)">`,
    forecastGroundSvg(field, palette, FIELD),
    candlesSvg(field.history, { ...palette, surface: '#0b0d10' }, false, 2),
    candlesSvg(field.forecast, palette, true, 2),
    `<rect width="260" height="${CARD.height}" fill="url(#fade)"/></g>`,
    markSvg('kat', { x: LEFT, y: 96, size: 104, colour: palette.accent }),
    '</svg>',
  ].join('');
}
