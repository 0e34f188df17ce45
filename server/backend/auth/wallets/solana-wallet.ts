/** Signatures of Solana wallets: Ed25519 over the message's bytes; the address is the public key in base 58. */
import { createPublicKey, verify } from 'node:crypto';
import { validationFailed } from '../auth-error.ts';

const SIGNATURE = /^[A-Za-z0-9+/_-]{86}(?:==)?$/;
const KEY_BYTES = 32;

/** @throws AuthError 400 validation_failed when it is not 64 bytes in base 64 (either alphabet) */
export function isSignedBySolana(address: string, message: string, signature: string): boolean {
  if (!SIGNATURE.test(signature))
    throw validationFailed('signature must be 64 bytes encoded as base64 with or without padding');
  const keyBytes = base58Bytes(address);
  if (keyBytes?.length !== KEY_BYTES) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(keyBytes).toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  // Node reads both alphabets of base 64.
  return verify(null, Buffer.from(message, 'utf8'), key, Buffer.from(signature, 'base64'));
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The longest key in base 58. */
const MAX_DIGITS = 44;

/** Each leading 1 is a zero byte. Null for invalid base 58. */
export function base58Bytes(text: string): Uint8Array | null {
  if (text.length > MAX_DIGITS) return null;
  let number = 0n;
  for (const digit of text) {
    const value = BASE58.indexOf(digit);
    if (value === -1) return null;
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? '' : number.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...new Uint8Array(zeros), ...bytes]);
}
