/** Pictures generated for tests, valid and invalid. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';

/** Noise, so that the file is as large as a photograph's. @returns the requested size in pixels */
export function photograph(type: PictureKind, width: number, height = width): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const picture = sharp({ create: { width, height, channels: 3, background: 'black', noise } });
  return buffer(picture.toFormat(type));
}

/** One colour: a small file at any size. */
export function plainPicture(type: PictureKind, width: number, height = width): Promise<Buffer<ArrayBuffer>> {
  const background = { r: 200, g: 30, b: 30 };
  return buffer(sharp({ create: { width, height, channels: 3, background } }).toFormat(type));
}

/** The left half black, the right half white. */
export function halvedPicture(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const white = { create: { width: width / 2, height, channels: 3 as const, background: 'white' } };
  const black = { create: { width, height, channels: 3 as const, background: 'black' } };
  return buffer(
    sharp(black)
      .composite([{ input: white, left: width / 2, top: 0 }])
      .png(),
  );
}

/** The three forms of WebP: lossy, lossless, and extended with transparency. */
export function webpShapes(width: number, height: number): Promise<Buffer<ArrayBuffer>[]> {
  const plain = { create: { width, height, channels: 4 as const, background: '#ff000080' } };
  return Promise.all([
    buffer(sharp(plain).removeAlpha().webp()),
    buffer(sharp(plain).webp({ lossless: true })),
    buffer(sharp(plain).webp()),
  ]);
}

/** As a phone writes it: rotated, with the location where it was taken. */
export function photographWithPlace(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const background = { r: 20, g: 120, b: 60 };
  return buffer(
    sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .withExif({
        IFD0: { Make: 'Telephone of Ada', Orientation: '6' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '52/1 31/1 12/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '13/1 24/1 36/1',
        },
      })
      .withMetadata({ orientation: 6 }),
  );
}

/** A few kilobytes that decode to width x height pixels. @param isWhole false: pixel data for one row only */
export function bombPng(width: number, height: number, isWhole = true): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit per pixel, grey.
  header.set([1, 0, 0, 0, 0], 8);
  const row = Math.ceil(width / 8) + 1;
  const pixels = deflateSync(Buffer.alloc(isWhole ? row * height : row), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

async function buffer(picture: Sharp): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await picture.toBuffer());
}
