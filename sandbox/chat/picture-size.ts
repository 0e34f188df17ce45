/** Type, width and height of a PNG or JPEG, read from its header. */
export interface PictureSize {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Null: neither of both, or cut off. */
export function pictureSize(bytes: Buffer): PictureSize | null {
  if (bytes.subarray(0, 8).equals(PNG_START))
    return bytes.length < 24
      ? null
      : { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null;
}

function jpegSize(bytes: Buffer): PictureSize | null {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Start of frame, in every coding; C4, C8 and CC are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
