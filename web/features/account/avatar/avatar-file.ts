/** Turns a chosen file into a picture that can be cropped, or into a message that says why it cannot. */
import { AVATAR_SIDE_PX, checkAvatarBytes, checkAvatarFile, MAX_PIXELS, undecodable } from '#domain/account/avatar.ts';

export interface ChosenPicture {
  /** An object URL; its last user revokes it. */
  url: string;
  isMoving: boolean;
}

/** Reads the header before the browser decodes a single pixel. */
export async function readPicture(file: File): Promise<ChosenPicture | { message: string }> {
  const message = checkAvatarFile(file);
  if (message !== null) return { message };
  const bytes = await readBytes(file);
  if (bytes === null) return { message: 'We couldn’t read this file. Please choose it again.' };
  const header = checkAvatarBytes(bytes, file.type);
  if ('problem' in header) return { message: header.problem };
  const picture = new Blob([bytes], { type: `image/${header.kind}` });
  const url = URL.createObjectURL(picture);
  if (await isDecoded(picture, url)) return { url, isMoving: header.isMoving };
  URL.revokeObjectURL(url);
  return { message: undecodable(header) };
}

/** Null for a file that was deleted, or that this page may no longer read. */
async function readBytes(file: File): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    // NotReadableError or NotFoundError: the user sees a message and can choose again.
    return null;
  }
}

/** Decodes every row: an image element would show the readable part of a broken picture and report success. */
async function isDecoded(picture: Blob, url: string): Promise<boolean> {
  const element = await loadPicture(url);
  if (element === null || element.naturalWidth * element.naturalHeight > MAX_PIXELS) return false;
  try {
    (await createImageBitmap(picture)).close();
    return true;
  } catch {
    // InvalidStateError: the bytes are not a picture after all.
    return false;
  }
}

/** Null for a file the browser cannot show. On load, the sides are known but the pixels are not yet decoded. */
function loadPicture(url: string): Promise<HTMLImageElement | null> {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => resolve(null);
    picture.src = url;
  });
}

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
