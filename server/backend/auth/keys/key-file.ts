/** The file of the server's own keys in the data folder: its schema; read and written whole, only for its owner. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { weaknessOf } from '../../../platform/config/weak-secrets.ts';
import { readSecretFile, writeSecretFile } from '../../../platform/secret-file.ts';

const privateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
});
export type PrivateJwk = z.infer<typeof privateJwk>;

/** 32 random bytes as base64url. */
const MIN_SECRET_LENGTH = 43;

export const keyFileSchema = z.object({
  version: z.literal(1),
  /** The first signs, all verify. `addedAtS`: when it started signing, epoch seconds; absent in older files. */
  signing: z.array(z.extend(privateJwk, { addedAtS: z.optional(z.int()) })).check(z.minLength(1)),
  refreshSecret: z.string().check(z.minLength(MIN_SECRET_LENGTH)),
  anonKey: z.string(),
  serviceRoleKey: z.string(),
  /** Anon keys of pages opened before a rotation, newest first; they grant only a visitor's access. */
  formerAnonKeys: z._default(z.array(z.string()), []),
});
export type KeyFile = z.infer<typeof keyFileSchema>;

const FILE_NAME = 'keys.json';

export function keyFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/** @returns null when there is no file. @throws Error when it can't be parsed or its secret is weak */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const text = await readSecretFile(path);
  if (text === null) return null;
  let file: KeyFile;
  try {
    file = keyFileSchema.parse(JSON.parse(text));
  } catch {
    // The parser's message may quote the keys, so it is dropped.
    throw new Error(`The key file ${path} is damaged. Restore it from a backup, or delete it to sign everyone out.`);
  }
  const weakness = weaknessOf(file.refreshSecret, MIN_SECRET_LENGTH);
  if (weakness !== null)
    throw new Error(`The refreshSecret in ${path} ${weakness}. Delete the file and run: npm run keys`);
  return file;
}

/** Written atomically: neither a crash nor a reader leaves or sees half a file. */
export async function writeKeyFile(path: string, file: KeyFile): Promise<void> {
  await writeSecretFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

export const ALGORITHM = 'ES256';
const LONG_LIVED_S = 10 * 365 * 24 * 60 * 60;

/** @param nowS  by the system's clock, not the product's: keys outlive a test */
export async function makeKeyFile(nowS: number): Promise<KeyFile> {
  const key = await makeSigningKey();
  return {
    version: 1,
    signing: [{ ...key, addedAtS: nowS }],
    refreshSecret: randomBytes(32).toString('base64url'),
    formerAnonKeys: [],
    ...(await apiKeys(key, nowS)),
  };
}

export async function makeSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const { x, y, d, ...jwk } = await exportJWK(privateKey);
  if (x === undefined || y === undefined || d === undefined) throw new Error('a new key lacks its parts');
  const kid = await calculateJwkThumbprint({ ...jwk, x, y });
  return { kty: 'EC', crv: 'P-256', x, y, d, kid, alg: ALGORITHM };
}

export async function apiKeys(key: PrivateJwk, nowS: number): Promise<Pick<KeyFile, 'anonKey' | 'serviceRoleKey'>> {
  const privateKey = await importJWK(key, ALGORITHM);
  const keyOf = (role: string) =>
    new SignJWT({ iss: 'kat', role })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.kid })
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LONG_LIVED_S)
      .sign(privateKey);
  return { anonKey: await keyOf('anon'), serviceRoleKey: await keyOf('service_role') };
}
