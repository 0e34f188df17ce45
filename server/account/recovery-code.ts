/** Recovery codes: twelve characters from an alphabet without look-alikes, 60 random bits, in groups of four. */
import { createHash, randomBytes } from 'node:crypto';

/** 32 characters: no i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;
const PLAIN = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Formatted for users: `xxxx-xxxx-xxxx`. */
export function newRecoveryCode(): string {
  const signs = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return (signs.match(/.{4}/g) ?? []).join('-');
}

/** Accepts capitals, spaces, missing hyphens, o for 0, and i or l for 1. Null if it isn't a code. */
export function readRecoveryCode(typed: string): string | null {
  const plain = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  return PLAIN.test(plain) ? plain : null;
}

/** @param plain  from readRecoveryCode @returns the hash to store, salted with the user's id */
export function hashOfRecoveryCode(userId: string, plain: string): string {
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex');
}
