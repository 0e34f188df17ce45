/** Makes a key of the read API, and the hash by which it is found again. */
import { createHash, randomInt } from 'node:crypto';
import { API_KEY_MARK, API_KEY_SIGNS } from '#domain/account/api-key.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newApiKey(): string {
  const signs = Array.from({ length: API_KEY_SIGNS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${API_KEY_MARK}${signs.join('')}`;
}

/** Hex. Without a salt: nobody guesses 238 random bits, and a key must be found by it. */
export function hashOfApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
