/** Read before decoding, because a file of a few kilobytes may decode to gigabytes of pixels. */
export interface PictureHeader {
  kind: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic';
  width: number;
  height: number;
  /** False when bytes are missing at the end. Always true for GIF, AVIF and HEIC, where only the decoder can tell. */
  isWhole: boolean;
  /** True when more pictures may follow; only the first is used. */
  isMoving: boolean;
}

/** @returns null for any other format */
export function pictureHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (hasText(bytes, 1, 'PNG\r\n')) return png(bytes, view);
    if (view.getUint16(0) === 0xffd8) return jpeg(view);
    if (hasText(bytes, 0, 'GIF8')) return gif(view);
    if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')) return webp(bytes, view);
    if (hasText(bytes, 4, 'ftyp')) return isoMedia(bytes, view);
    return null;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return text === String.fromCharCode(...bytes.subarray(at, at + text.length));
}

function indexOfText(bytes: Uint8Array, text: string, from: number, to = bytes.length): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at >= 0 && at < to; at = bytes.indexOf(first, at + 1))
    if (hasText(bytes, at, text)) return at;
  return -1;
}

function png(bytes: Uint8Array, view: DataView): PictureHeader {
  return {
    kind: 'png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    isWhole: indexOfText(bytes, 'IEND', 33) >= 0,
    isMoving: indexOfText(bytes, 'acTL', 33, 4096) >= 0,
  };
}

function gif(view: DataView): PictureHeader {
  return {
    kind: 'gif',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    isWhole: true,
    isMoving: true,
  };
}

/** True for a marker that is followed by a size: every frame start, but not the tables between them (C4, C8, CC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xffd9;

/** @throws RangeError when the file ends before its size */
function jpeg(view: DataView): PictureHeader | null {
  let size: { width: number; height: number } | null = null;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) {
      return size && { kind: 'jpeg', ...size, isWhole: hasEnd(view, at), isMoving: false };
    }
    if (isFrame(marker)) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
}

/** Within a scan, FF is followed by D9 only at the end. Data that a phone appends after the end does not matter. */
function hasEnd(view: DataView, from: number): boolean {
  for (let at = from; at + 1 < view.byteLength; at += 1) if (view.getUint16(at) === END_OF_IMAGE) return true;
  return false;
}

function webp(bytes: Uint8Array, view: DataView): PictureHeader | null {
  const isWhole = view.getUint32(4, true) + 8 <= bytes.length;
  const shared = { kind: 'webp' as const, isWhole };
  if (hasText(bytes, 12, 'VP8X')) {
    const isMoving = (view.getUint8(20) & 2) !== 0;
    return { ...shared, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1, isMoving };
  }
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { ...shared, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1, isMoving: false };
  }
  if (!hasText(bytes, 12, 'VP8 ')) return null;
  const side = (at: number) => view.getUint16(at, true) & 0x3fff;
  return { ...shared, width: side(26), height: side(28), isMoving: false };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
}

const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];
/** The boxes that describe the pictures are at the beginning. */
const MAX_DESCRIPTION_BYTES = 65_536;

/** Takes the largest of several sizes (previews, tiles): a grid states its full size. */
function isoMedia(bytes: Uint8Array, view: DataView): PictureHeader | null {
  const end = Math.min(view.getUint32(0), 256);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) brands.push(String.fromCharCode(...bytes.subarray(at, at + 4)));
  const isAvif = brands.some((brand) => AVIF_BRANDS.includes(brand));
  if (!isAvif && !brands.some((brand) => HEIC_BRANDS.includes(brand))) return null;
  let [width, height] = [0, 0];
  for (let at = indexOfText(bytes, 'ispe', end, MAX_DESCRIPTION_BYTES); at >= 0; ) {
    width = Math.max(width, view.getUint32(at + 8));
    height = Math.max(height, view.getUint32(at + 12));
    at = indexOfText(bytes, 'ispe', at + 4, MAX_DESCRIPTION_BYTES);
  }
  return { kind: isAvif ? 'avif' : 'heic', width, height, isWhole: true, isMoving: brands.includes('avis') };
}
