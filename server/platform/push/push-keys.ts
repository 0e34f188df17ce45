/**
 * The key pair that push services know us by (RFC 8292). Browsers subscribe with its public half, and their subscriptions
 * are good for this pair alone: it is made once, and kept. docs/decisions/039-web-push.md
 */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeSecretFile, readSecretFile } from '../config/secret-file.ts';

export interface PushKeys {
  /** Base64url, 65 bytes. */
  publicKey: string;
  /** Base64url, 32 bytes. A secret. */
  privateKey: string;
}

const keysSchema = z.object({
  publicKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{87}$/)),
  privateKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
});

export class PushKeysUnusable extends Error {
  override readonly name = 'PushKeysUnusable';
}

/**
 * Of two processes that make the file at the same moment one does, and both read it.
 *
 * @param given  of the settings; null: those of the data folder
 * @throws PushKeysUnusable when what is there is no pair: a new one would end every subscription
 */
export async function openPushKeys(dataDir: string, given: PushKeys | null): Promise<PushKeys> {
  if (given !== null) return requirePair(given, 'PUSH_PUBLIC_KEY and PUSH_PRIVATE_KEY');
  const path = join(dataDir, 'push-keys.json');
  let text = await readSecretFile(path);
  if (text === null) {
    await makeSecretFile(path, `${JSON.stringify(newPushKeys(), null, 2)}\n`);
    text = await readSecretFile(path);
  }
  return requirePair(parsed(text ?? ''), path);
}

export function newPushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const d = privateKey.export({ format: 'jwk' }).d ?? '';
  return { privateKey: d, publicKey: publicHalf(d) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as no pair, without what stands there.
    return null;
  }
}

function requirePair(value: unknown, where: string): PushKeys {
  const keys = keysSchema.safeParse(value);
  if (!keys.success || !isPair(keys.data)) throw new PushKeysUnusable(`${where}: this is no P-256 key pair.`);
  return keys.data;
}

function isPair({ privateKey, publicKey }: PushKeys): boolean {
  try {
    return publicHalf(privateKey) === publicKey;
  } catch {
    // Zero, or beyond the curve's order.
    return false;
  }
}

function publicHalf(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return pair.getPublicKey().toString('base64url');
}
