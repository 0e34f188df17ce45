/**
 * A PNG of at most 256 colours. Browsers write three bytes a pixel; with its flat colours a forecast's picture is a
 * third as large this way.
 */

const COLOURS = 256;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const INDEXED = 3;

/** @param picture  opaque. The rarest colours beyond 256 are drawn as the nearest of the others. */
export async function indexedPng({ data, width, height }: Omit<ImageData, 'colorSpace'>): Promise<Blob> {
  const pixels = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const colours: number[] = [];
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = pixels.getUint32(at) >>> 8;
    colours.push(colour);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  const used = palette.slice(0, COLOURS);
  const indices = new Map(palette.map((colour, i) => [colour, i < COLOURS ? i : nearest(used, colour)]));
  // Each row begins with its filter: 0, for no filter.
  const rows = new Uint8Array((width + 1) * height);
  for (const [i, colour] of colours.entries()) rows[i + Math.floor(i / width) + 1] = indices.get(colour) ?? 0;
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, INDEXED);
  return new Blob(
    [
      new Uint8Array(SIGNATURE),
      chunk('IHDR', new Uint8Array(header.buffer)),
      chunk('PLTE', Uint8Array.from(used.flatMap(channels))),
      chunk('IDAT', new Uint8Array(await new Response(packed).arrayBuffer())),
      chunk('IEND', new Uint8Array()),
    ],
    { type: 'image/png' },
  );
}

function channels(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** @returns its index */
function nearest(palette: readonly number[], colour: number): number {
  const wanted = channels(colour);
  const distances = palette.map((one) =>
    channels(one).reduce((sum, channel, i) => sum + (channel - (wanted[i] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)));
  return bytes;
}

/** As PNG specifies it (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
