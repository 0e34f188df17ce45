/** Which pictures are accepted as an avatar (R-ACCOUNT-11). */
import { type PictureHeader, pictureHeader } from './picture-header.ts';

export const MAX_AVATAR_BYTES = 5 * 1024 * 1024;
/** Largest side of the stored square: an avatar is never shown larger. */
export const AVATAR_SIDE_PX = 1024;
/** Accepts a camera's 24 megapixels; a larger picture takes hundreds of megabytes once decoded. */
export const MAX_PIXELS = 26_214_400;
export const MAX_SIDE_PX = 10_000;

export const NOT_AN_IMAGE = 'File must be an image';
export const TOO_LARGE = 'Max 5MB image';
export const DAMAGED = 'This picture is damaged or incomplete. Please choose another one.';
const SVG = 'SVG images aren’t supported. Please choose a JPEG, PNG, WebP, GIF or AVIF picture.';
const UNKNOWN_KIND = 'This file type isn’t supported. Please choose a JPEG, PNG, WebP, GIF or AVIF picture.';
const HEIC = 'This browser can’t read HEIC pictures. Please convert yours to JPEG first.';

/** Checks a file before it is read. @returns the message to show; null for a file worth reading */
export function checkAvatarFile(file: { type: string; size: number }): string | null {
  // Some systems report no type for HEIC or AVIF files; their content decides later.
  if (file.type !== '' && !file.type.startsWith('image/')) return NOT_AN_IMAGE;
  if (file.type.startsWith('image/svg')) return SVG;
  return file.size > MAX_AVATAR_BYTES ? TOO_LARGE : null;
}

/** Checks the content before it is decoded. @param type  the file's type, as the browser reports it */
export function checkAvatarBytes(bytes: Uint8Array, type: string): PictureHeader | { problem: string } {
  const header = pictureHeader(bytes);
  if (header === null) return { problem: isForeignPicture(bytes, type) ? UNKNOWN_KIND : NOT_AN_IMAGE };
  const { kind, width, height, isWhole } = header;
  if (width < 1 || height < 1) return { problem: DAMAGED };
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX || width * height > MAX_PIXELS)
    return {
      problem: `This picture has ${width} × ${height} pixels. Please choose one with at most ${MAX_SIDE_PX} on each side and ${Math.floor(MAX_PIXELS / 1e6)} million in total.`,
    };
  if (!isWhole) return { problem: DAMAGED };
  return { kind, width, height, isWhole, isMoving: header.isMoving };
}

export function undecodable({ kind }: Pick<PictureHeader, 'kind'>): string {
  return kind === 'heic' ? HEIC : DAMAGED;
}

/** Recognizes BMP, ICO and TIFF by their first bytes. */
function isForeignPicture(bytes: Uint8Array, type: string): boolean {
  if (!type.startsWith('image/')) return false;
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const isBmp = first === 0x42 && second === 0x4d;
  const isIcon = first === 0 && second === 0 && (third === 1 || third === 2) && fourth === 0;
  const isTiff =
    (first === 0x49 && second === 0x49 && third === 42) || (first === 0x4d && second === 0x4d && fourth === 42);
  return isBmp || isIcon || isTiff;
}
