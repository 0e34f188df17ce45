/** Draws a forecast's picture in the browser: the same shapes as the picture of its page, and text in the site's font. */
import {
  PICTURE_SIZES,
  type PictureOptions,
  type PictureText,
  pictureSvg,
  type Weight,
} from '#domain/share/forecast-picture.ts';
import { indexedPng } from './indexed-png.ts';

const FONT = '"Inter Variable", system-ui, sans-serif';
const fontOf = (sizePx: number, weight: Weight = 400): string => `${weight} ${sizePx}px ${FONT}`;

export type DrawPicture = typeof drawPicture;

/** @returns a PNG  @throws Error if the browser has no canvas, or refuses one of its steps */
export async function drawPicture(options: Omit<PictureOptions, 'shape'>): Promise<Blob> {
  const { width, height } = PICTURE_SIZES.wide;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error('The browser has no canvas.');
  // Without the font, the text is set in the system's.
  await Promise.all(([400, 600] as const).map((weight) => document.fonts.load(fontOf(20, weight)))).catch(() => []);
  const texts: PictureText[] = [];
  const svg = pictureSvg(
    { ...options, shape: 'wide' },
    {
      widthOf(text, sizePx, weight) {
        context.font = fontOf(sizePx, weight);
        return context.measureText(text).width;
      },
      set(text) {
        texts.push(text);
        return '';
      },
    },
  );
  const shapes = new Image();
  shapes.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await shapes.decode();
  context.drawImage(shapes, 0, 0);
  for (const { text, x, y, sizePx, weight, anchor = 'start', tone } of texts) {
    context.font = fontOf(sizePx, weight);
    context.textAlign = anchor === 'middle' ? 'center' : anchor;
    context.fillStyle = options.palette[tone];
    context.fillText(text, x, y);
  }
  return indexedPng(context.getImageData(0, 0, width, height));
}
