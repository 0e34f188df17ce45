/**
 * The key pair that identifies this server to push services (RFC 8292). Browsers subscribe with its public key, and
 * their subscriptions work only with this pair, so it is created once and stored. docs/decisions/039-web-push.md
 */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { PushKeys } from '../platform/config/config-channels.ts';
import { makeSecretFile, readSecretFile } from '../platform/secret-file.ts';

const keysSchema = z.object({
  publicKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{87}$/)),
  privateKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
});

export class PushKeysUnusable extends Error {
  override readonly name = 'PushKeysUnusable';
}

/**
 * When two processes create the file at the same moment, one succeeds and both read the result.
 * @param configured from the settings; null to use the data folder's
 * @throws PushKeysUnusable when the stored keys are not a pair, because new keys would end every subscription
 */
export async function openPushKeys(dataDir: string, configured: PushKeys | null): Promise<PushKeys> {
  if (configured !== null) return requirePair(configured, 'PUSH_KEYS');
  const path = join(dataDir, 'push-keys.json');
  let text = await readSecretFile(path);
  if (text === null) {
    await makeSecretFile(path, `${JSON.stringify(newPushKeys(), null, 2)}\n`);
    text = await readSecretFile(path);
  }
  return requirePair(parsedJson(text ?? ''), path);
}

export function newPushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const d = privateKey.export({ format: 'jwk' }).d ?? '';
  return { privateKey: d, publicKey: publicHalf(d) };
}

function requirePair(value: unknown, where: string): PushKeys {
  const keys = keysSchema.safeParse(value);
  if (!keys.success || !isPair(keys.data)) throw new PushKeysUnusable(`${where}: this isn't a P-256 key pair.`);
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
