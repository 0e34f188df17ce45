/**
 * Pictures from untrusted uploads: the content decides their type, and only bytes that this server encoded itself are
 * stored. Decoding and encoding run off the main thread, one picture at a time.
 */
import { workQueue } from '../../platform/one-at-a-time.ts';
import { openSharp } from '../../platform/open-sharp.ts';
import { busy, invalidRequest, invalidType, StorageRefusal } from './storage-refusal.ts';

export interface StoredPicture {
  bytes: Uint8Array;
  type: 'image/jpeg' | 'image/png' | 'image/webp';
}

/** Input types and their output types: animations become their first frame; AVIF takes seconds to encode. */
const OUTPUT_TYPES = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/webp',
  'image/avif': 'image/webp',
} as const satisfies Record<string, StoredPicture['type']>;

type PictureType = keyof typeof OUTPUT_TYPES;

/** Accepts a camera's 24 megapixels. Beyond, a small file could require hundreds of megabytes. */
export const MAX_PIXELS = 26_214_400;
/** AVIF's decoder holds the whole picture several times: 25 megapixels in a kilobyte took 470 MB. */
export const MAX_AVIF_PIXELS = 4_000_000;
/** Longer sides are scaled down to this; an avatar is never shown larger. */
export const MAX_SIDE_PX = 1024;
const TIME_LIMIT_S = 10;
const MAX_WAITING = 24;
const QUALITY = 85;

export interface PictureConverter {
  /**
   * Rotated upright, at most 1024 pixels wide and high, without metadata. @param allowed types; null for every picture
   * @throws StorageRefusal 415 not a picture, 400 damaged or too large to decode, 503 too many queued
   */
  rewrite(bytes: Uint8Array, allowed: readonly string[] | null): Promise<StoredPicture>;
}

export function pictures(): PictureConverter {
  const queue = workQueue({ maxWaiting: MAX_WAITING });
  return {
    async rewrite(bytes, allowed) {
      const type = await typeOf(bytes, allowed);
      return await queue
        .run(() => encode(bytes, type))
        .catch((error: unknown) => {
          throw error instanceof StorageRefusal ? error : busy(error);
        });
    },
  };
}

async function typeOf(bytes: Uint8Array, allowed: readonly string[] | null): Promise<PictureType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream';
  if (!isPictureType(found) || (allowed !== null && !allowed.includes(found))) throw invalidType(found);
  return found;
}

function isPictureType(type: string): type is PictureType {
  return Object.hasOwn(OUTPUT_TYPES, type);
}

async function encode(bytes: Uint8Array, type: PictureType): Promise<StoredPicture> {
  const sharp = await openSharp();
  const outputType = OUTPUT_TYPES[type];
  const maxPixels = type === 'image/avif' ? MAX_AVIF_PIXELS : MAX_PIXELS;
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIME_LIMIT_S })
      .autoOrient()
      .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside', withoutEnlargement: true });
    const written = {
      'image/jpeg': () => picture.jpeg({ quality: QUALITY }),
      'image/png': () => picture.png(),
      'image/webp': () => picture.webp({ quality: QUALITY }),
    }[outputType]();
    return { bytes: await written.toBuffer(), type: outputType };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw invalidRequest(
      /pixel limit/i.test(error.message)
        ? `The picture has more than ${maxPixels} pixels`
        : 'The picture is damaged or unreadable',
      error,
    );
  }
}
