import { createHash, randomInt } from 'node:crypto';
import { type ChatService, CODE_ALPHABET, CODE_LENGTH } from '#domain/chat/chat-channel.ts';

/** Shown to its owner once. */
export function newLinkCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

/** The code as it was shown, whatever the case it was typed in; null for text that is no code. */
export function readLinkCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return code.length === CODE_LENGTH && [...code].every((one) => CODE_ALPHABET.includes(one)) ? code : null;
}

export function hashOfLinkCode(service: ChatService, code: string): string {
  return createHash('sha256').update(`${service} ${code}`).digest('hex');
}
