/** The file of the server's own keys in the data folder: its schema; read and written whole, only for its owner. */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readSecretFile, writeSecretFile } from '../../../platform/config/secret-file.ts';
import { weaknessOf } from '../../../platform/config/weak-secrets.ts';

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

/**
 * @returns null when there is no file
 * @throws Error when it can't be parsed or its secret is weak
 */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const text = await readSecretFile(path);
  if (text === null) return null;
  let file: KeyFile;
  try {
    file = keyFileSchema.parse(JSON.parse(text));
  } catch {
    // The parser's message may quote the keys, so it is dropped.
    throw new Error(`The key file ${path} is damaged. Restore it from a backup, or delete it to sign everybody out.`);
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
