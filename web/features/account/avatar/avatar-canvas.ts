/** Turns the chosen square of a picture into its own file: small, upright, with nothing but its pixels. */
import { AVATAR_SIDE_PX } from '#domain/account/avatar.ts';
import { loadPicture } from './avatar-file.ts';

/** In pixels of the upright picture. */
export interface Square {
  x: number;
  y: number;
  width: number;
}

const QUALITY = 0.9;

/** @returns WebP, or JPEG where the browser cannot write WebP; null when it cannot draw the picture (out of memory) */
export async function cropped(url: string, square: Square): Promise<Blob | null> {
  const picture = await loadPicture(url);
  const side = Math.max(1, Math.min(AVATAR_SIDE_PX, Math.round(square.width)));
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (picture === null || context === null) return null;
  context.imageSmoothingQuality = 'high';
  const draw = () => context.drawImage(picture, square.x, square.y, square.width, square.width, 0, 0, side, side);
  draw();
  const webp = await encoded(canvas, 'image/webp');
  if (webp?.type === 'image/webp') return webp;
  // JPEG has no transparency, so transparent pixels become white.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, side, side);
  draw();
  return encoded(canvas, 'image/jpeg');
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}
