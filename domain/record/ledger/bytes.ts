/** Encodings of the record's bytes: hashes and keys in hex, signatures in base64. */

/** A hash function: Node's is synchronous, the browser's asynchronous. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** @returns null for anything but pairs of lower-case hex digits */
export function fromHex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = new Map([...BASE64].map((character, i) => [character, i]));

/** @returns null for anything but canonical base64 with padding */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const digits = text.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 6) / 8));
  let [bits, count, at] = [0, 0, 0];
  for (const digit of digits) {
    bits = ((bits << 6) | (SEXTETS.get(digit) ?? 0)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = (bits >> count) & 0xff;
    at += 1;
  }
  // Unused bits must be zero, else two texts would decode to the same bytes.
  return (bits & ((1 << count) - 1)) === 0 ? bytes : null;
}

/** Hex as base64url without padding: a third shorter. @returns a text that isn't hex unchanged, so that it shows */
export function packHex(hex: string): string {
  const bytes = fromHex(hex);
  if (bytes === null) return hex;
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    const bits = ((group[0] ?? 0) << 16) | ((group[1] ?? 0) << 8) | (group[2] ?? 0);
    for (let i = 0; i <= group.length; i++) text += BASE64[(bits >> (18 - 6 * i)) & 63];
  }
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

/** @returns null for anything that packHex does not write */
export function unpackHex(text: string): string | null {
  if (/[^A-Za-z0-9_-]/.test(text)) return null;
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, '='));
  return bytes === null ? null : toHex(bytes);
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
