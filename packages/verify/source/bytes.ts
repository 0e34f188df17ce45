/** Hashes, trees and signatures of the record, with Node's own functions. */
import { createHash, createPublicKey, verify } from 'node:crypto';

export const HEX_256 = /^[0-9a-f]{64}$/;

export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function hashOf(text: string): string {
  return sha256(text).toString('hex');
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Merkle root as in RFC 6962, hex. @param entries hex, at least one */
export function rootOf(entries: readonly string[]): string {
  let level = entries.map((entry) => sha256(LEAF, Buffer.from(entry, 'hex')));
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      // The last one of an odd level moves up unchanged.
      if (left !== undefined) next.push(right === undefined ? left : sha256(NODE, left, right));
    }
    level = next;
  }
  return level[0]?.toString('hex') ?? '';
}

/** Wraps the 32 bytes of an Ed25519 key as Node reads it (RFC 8410). */
const KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** @param publicKey 32 bytes, hex @param signature base64 */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (!HEX_256.test(publicKey)) return false;
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length !== 64 || bytes.toString('base64') !== signature) return false;
  const key = createPublicKey({
    key: Buffer.concat([KEY_HEAD, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.from(text), key, bytes);
}
