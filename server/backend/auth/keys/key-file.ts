/** The file of the server's own keys in the data folder: its form, read and written whole, for its owner alone. */
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
  /** The first signs, all verify. `addedAtS`: since when it has signed, epoch seconds; absent in files of old. */
  signing: z.array(z.extend(privateJwk, { addedAtS: z.optional(z.int()) })).check(z.minLength(1)),
  refreshSecret: z.string().check(z.minLength(MIN_SECRET_LENGTH)),
  anonKey: z.string(),
  serviceRoleKey: z.string(),
  /** Those of pages that were opened before a rotation, newest first; they let nobody in as more than a visitor. */
  formerAnonKeys: z._default(z.array(z.string()), []),
});
export type KeyFile = z.infer<typeof keyFileSchema>;

const FILE_NAME = 'keys.json';

export function keyFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * @returns null when there is none
 * @throws Error when it cannot be understood or its secret could be guessed
 */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const text = await readSecretFile(path);
  if (text === null) return null;
  let file: KeyFile;
  try {
    file = keyFileSchema.parse(JSON.parse(text));
  } catch {
    // What the parser says may quote the keys, so that it is not kept.
    throw new Error(`The key file ${path} is damaged. Restore it from a backup, or delete it to sign everybody out.`);
  }
  const weakness = weaknessOf(file.refreshSecret, MIN_SECRET_LENGTH);
  if (weakness !== null)
    throw new Error(`The refreshSecret in ${path} ${weakness}. Delete the file and run: npm run keys`);
  return file;
}

/** Whole: neither a crash nor a reader meets half a file. */
export async function writeKeyFile(path: string, file: KeyFile): Promise<void> {
  await writeSecretFile(path, `${JSON.stringify(file, null, 2)}\n`);
}
