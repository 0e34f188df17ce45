/**
 * The server's own keys: an ES256 pair that signs every token, and a secret from which refresh tokens descend. Made once
 * into the data folder, readable by its owner alone. Several signing keys may stand in the file: the first signs, all verify.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CompactEncrypt,
  calculateJwkThumbprint,
  compactDecrypt,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import * as z from 'zod/mini';

export interface SigningKeys {
  /** Public halves only. */
  readonly jwks: { keys: JWK[] };
  /** For browsers: lets a visitor in as `anon`. Not a secret. */
  readonly anonKey: string;
  /** Passes row-level security. A secret. */
  readonly serviceRoleKey: string;
  sign(claims: Readonly<Record<string, unknown>>, issuedAtS: number, expiresAtS: number): Promise<string>;
  /** @throws JOSEError when the signature, the algorithm or the time is wrong */
  verify(token: string, nowMs: number): Promise<JWTPayload>;
  /** The one successor of a refresh token: the same for everyone who presents the same token, guessable by nobody. */
  successorOf(refreshToken: string): string;
  /** A hash that nobody without the server's secret can compute; `purpose` keeps uses apart. */
  keyedHash(purpose: string, text: string): string;
  /** Encrypts what must not stand readable in the database. */
  seal(text: string): Promise<string>;
  /** @throws JOSEError when it was not sealed here or was altered */
  unseal(sealed: string): Promise<string>;
}

const FILE_NAME = 'keys.json';
const LONG_LIVED_S = 10 * 365 * 24 * 60 * 60;
const ALGORITHM = 'ES256';

const privateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal(ALGORITHM),
});
const keyFileSchema = z.object({
  version: z.literal(1),
  signing: z.array(privateJwk).check(z.minLength(1)),
  refreshSecret: z.string().check(z.minLength(43)),
  anonKey: z.string(),
  serviceRoleKey: z.string(),
});
type KeyFile = z.infer<typeof keyFileSchema>;

export class SigningKeysMissing extends Error {
  override readonly name = 'SigningKeysMissing';
}

/**
 * @param options.mayMake  false in production: keys that appear by themselves would sign everybody out when a folder
 *                         is lost, and differ from process to process
 * @throws SigningKeysMissing when there are none and none may be made
 * @throws Error when the key file exists but cannot be understood: a new one would sign everybody out
 */
export async function openSigningKeys(dataDir: string, options = { mayMake: true }): Promise<SigningKeys> {
  const path = join(dataDir, FILE_NAME);
  const file = await readKeyFile(path);
  if (file !== null) return toSigningKeys(file);
  if (options.mayMake) return toSigningKeys(await makeKeyFile(dataDir, path));
  throw new SigningKeysMissing(`There is no ${path}, and production makes none by itself. Make it once: npm run keys`);
}

async function toSigningKeys(file: KeyFile): Promise<SigningKeys> {
  const [current] = file.signing;
  if (current === undefined) throw new Error('The key file holds no signing key.');
  const privateKey = await importJWK(current, ALGORITHM);
  const jwks = { keys: file.signing.map(publicHalf) };
  const publicKeys = createLocalJWKSet(jwks);
  const sealingKey = new Uint8Array(hkdfSync('sha256', file.refreshSecret, '', 'kat seal', 32));
  return {
    jwks,
    anonKey: file.anonKey,
    serviceRoleKey: file.serviceRoleKey,
    sign: (claims, issuedAtS, expiresAtS) => signWith(privateKey, current.kid, claims, issuedAtS, expiresAtS),
    async verify(token, nowMs) {
      const { payload } = await jwtVerify(token, publicKeys, {
        algorithms: [ALGORITHM],
        requiredClaims: ['exp', 'role'],
        currentDate: new Date(nowMs),
      });
      return payload;
    },
    successorOf: (refreshToken) =>
      createHmac('sha256', file.refreshSecret).update('refresh\n').update(refreshToken).digest('base64url'),
    keyedHash: (purpose, text) =>
      createHmac('sha256', file.refreshSecret).update(`${purpose}\n`).update(text).digest('base64url'),
    seal: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(sealingKey),
    async unseal(sealed) {
      const { plaintext } = await compactDecrypt(sealed, sealingKey, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return new TextDecoder().decode(plaintext);
    },
  };
}

function publicHalf({ kty, crv, x, y, kid, alg }: z.infer<typeof privateJwk>): JWK {
  return { kty, crv, x, y, kid, alg, use: 'sig', key_ops: ['verify'] };
}

function signWith(
  key: Parameters<SignJWT['sign']>[0],
  kid: string,
  claims: Readonly<Record<string, unknown>>,
  issuedAtS: number,
  expiresAtS: number,
): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresAtS)
    .sign(key);
}

async function readKeyFile(path: string): Promise<KeyFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  await chmod(path, 0o600);
  try {
    return keyFileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The key file ${path} is damaged. Restore it from a backup, or delete it to sign everybody out.`, {
      cause,
    });
  }
}

async function makeKeyFile(dataDir: string, path: string): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const signing = [privateJwk.parse({ ...jwk, kid, alg: ALGORITHM })];
  // The system's clock, not the product's: keys outlive a test.
  const nowS = Math.floor(Date.now() / 1000);
  const keyOf = (role: string) => signWith(privateKey, kid, { iss: 'kat', role }, nowS, nowS + LONG_LIVED_S);
  const file: KeyFile = {
    version: 1,
    signing,
    refreshSecret: randomBytes(32).toString('base64url'),
    anonKey: await keyOf('anon'),
    serviceRoleKey: await keyOf('service_role'),
  };
  await mkdir(dataDir, { recursive: true });
  // Written beside and renamed, so that a crash leaves no half-written keys.
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return file;
}
