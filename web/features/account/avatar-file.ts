/** A file that was chosen becomes a picture that can be cropped, or words on why it cannot. */
import { checkAvatarBytes, checkAvatarFile, MAX_PIXELS, undecodable } from '#domain/account/avatar.ts';

export interface ChosenPicture {
  /** An object URL: whoever is done with it revokes it. */
  url: string;
  isMoving: boolean;
}

/** The header is read before the browser decodes a single pixel. */
export async function readPicture(file: File): Promise<ChosenPicture | { told: string }> {
  const told = checkAvatarFile(file);
  if (told !== null) return { told };
  const bytes = await readBytes(file);
  if (bytes === null) return { told: 'This file could not be read. Please choose it again.' };
  const header = checkAvatarBytes(bytes, file.type);
  if ('told' in header) return header;
  const url = URL.createObjectURL(new Blob([bytes], { type: `image/${header.kind}` }));
  if (await isDecoded(url)) return { url, isMoving: header.isMoving };
  URL.revokeObjectURL(url);
  return { told: undecodable(header) };
}

/** Null for a file that has gone, or that this page may not read any more. */
async function readBytes(file: File): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    // NotReadableError or NotFoundError: the person is told, and can choose again.
    return null;
  }
}

async function isDecoded(url: string): Promise<boolean> {
  const picture = await loadPicture(url);
  if (picture === null || picture.naturalWidth * picture.naturalHeight > MAX_PIXELS) return false;
  try {
    await picture.decode();
    return true;
  } catch {
    // EncodingError: its bytes are no picture after all.
    return false;
  }
}

/** Null for what the browser cannot show. Sides are known then, pixels not yet decoded. */
export function loadPicture(url: string): Promise<HTMLImageElement | null> {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => resolve(null);
    picture.src = url;
  });
}
