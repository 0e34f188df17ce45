/** Recovery codes: twelve signs of an alphabet without look-alikes, 60 random bits, in groups of four. */
import { createHash, randomBytes } from 'node:crypto';

/** 32 signs: no i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;
const PLAIN = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** As people keep it: `xxxx-xxxx-xxxx`. */
export function newRecoveryCode(): string {
  const signs = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return (signs.match(/.{4}/g) ?? []).join('-');
}

/** However it was typed: in capitals, with spaces or without hyphens, o for 0, i or l for 1. Null when it is no code. */
export function readRecoveryCode(typed: string): string | null {
  const plain = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  return PLAIN.test(plain) ? plain : null;
}

/** @param plain  as readRecoveryCode gives it @returns what is stored: with the user's id, so that no table of hashes fits two */
export function hashOfRecoveryCode(userId: string, plain: string): string {
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex');
}
