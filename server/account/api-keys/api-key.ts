/** Makes a key of the read API, and the hash that finds it again. */
import { createHash, randomInt } from 'node:crypto';
import { API_KEY_MARK, API_KEY_SIGNS } from '#domain/account/api-key.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newApiKey(): string {
  const signs = Array.from({ length: API_KEY_SIGNS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${API_KEY_MARK}${signs.join('')}`;
}

/** Hex, without a salt: 238 random bits cannot be guessed, and the hash must find the key. */
export function hashOfApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
