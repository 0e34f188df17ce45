/** The site's icon: the eye, amber on a dark tile, so that it is visible on light and dark tabs alike. */
import sharp from 'sharp';
import { PALETTES } from '#domain/picture/palettes.ts';
import { markSvg } from './svg.ts';

const GROUND = '#0b0d10';
const TILE = 32;

export interface IconShape {
  /** Corner radius of the tile, relative to its side; 0 if the system rounds it. */
  corner: number;
  /** Width of the eye, relative to the side. */
  eye: number;
}

/** As large as possible: tabs show it at 16 pixels. */
export const TAB_ICON: IconShape = { corner: 0.2, eye: 0.94 };
/** For systems that cut their own shape out of it: nothing is in its outer fifth. */
export const HOME_ICON: IconShape = { corner: 0, eye: 0.66 };
/** For systems that show it as it is. */
export const APP_ICON: IconShape = { corner: 0.2, eye: 0.8 };

export function iconSvg({ corner, eye }: IconShape): string {
  const size = TILE * eye;
  const at = (TILE - size) / 2;
  const mark = markSvg('kat', { x: at, y: at, size, colour: PALETTES.dark.accent });
  const tile = `<rect width="${TILE}" height="${TILE}" rx="${TILE * corner}" fill="${GROUND}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${TILE} ${TILE}"><title>Kat</title>${tile}${mark}</svg>\n`;
}

export function iconPng(shape: IconShape, sizePx: number): Promise<Buffer> {
  // Drawn at its size, not scaled down: lines stay sharp.
  const density = (72 * sizePx) / TILE;
  return sharp(Buffer.from(iconSvg(shape)), { density })
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** An icon file that contains PNG pictures, which every browser since 2007 reads. */
export function icoOf(pictures: readonly { sizePx: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [i, { sizePx, png }] of pictures.entries()) {
    const entry = 6 + 16 * i;
    head.writeUInt8(sizePx % 256, entry);
    head.writeUInt8(sizePx % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}
