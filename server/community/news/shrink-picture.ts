/** Shrinks publishers' pictures. Their content decides the format, and only our own re-encoding is stored. */
import { AppError } from '#domain/errors/app-error.ts';
import { openSharp } from '../../platform/open-sharp.ts';

const MAX_WIDTH_PX = 320;
const MAX_HEIGHT_PX = 180;
/** Far above pictures in feeds. A file of a kilobyte can require this many pixels, at eight bytes each. */
export const MAX_PIXELS = 8_000_000;
const TIME_LIMIT_S = 5;
const QUALITY = 78;
/** No AVIF: its decoder holds several copies of the picture. */
const TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);

/**
 * @returns WebP of at most 320 x 180 pixels, the first frame, without metadata
 * @throws AppError `venue/unavailable` for a picture that is invalid, damaged or too large to decode
 */
export async function shrinkPicture(bytes: Uint8Array): Promise<Buffer> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (type === undefined || !TYPES.has(type)) throw unusable('no picture');
  const sharp = await openSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIME_LIMIT_S })
      .autoOrient()
      .resize({ width: MAX_WIDTH_PX, height: MAX_HEIGHT_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
  } catch (error) {
    throw unusable('damaged picture', error);
  }
}

function unusable(reason: string, cause?: unknown): AppError {
  return new AppError('venue/unavailable', { details: { reason }, cause });
}
