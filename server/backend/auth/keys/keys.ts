/**
 * The server's own keys: an ES256 pair that signs every token, and a secret that refresh tokens derive from. Created
 * once in the data folder. The file may hold several signing keys: the first signs, all verify.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  CompactEncrypt,
  compactDecrypt,
  createLocalJWKSet,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import {
  ALGORITHM,
  type KeyFile,
  keyFilePath,
  makeKeyFile,
  type PrivateJwk,
  readKeyFile,
  writeKeyFile,
} from './key-file.ts';

export interface SigningKeys {
  readonly jwks: { keys: JWK[] };
  /** For browsers: grants the role `anon`. Not a secret. */
  readonly anonKey: string;
  /** Bypasses row-level security. A secret. */
  readonly serviceRoleKey: string;
  sign(claims: Readonly<Record<string, unknown>>, issuedAtS: number, expiresAtS: number): Promise<string>;
  /** @throws JOSEError when the signature, the algorithm or the time is wrong */
  verify(token: string, nowMs: number): Promise<JWTPayload>;
  /** The single successor of a refresh token: the same for every caller with that token, and impossible to guess. */
  successorOf(refreshToken: string): string;
  /** A hash that requires the server's secret; `purpose` separates its uses. */
  keyedHash(purpose: string, text: string): string;
  /** Encrypts values that must not be readable in the database. */
  seal(text: string): Promise<string>;
  /** @throws JOSEError when it was not sealed here or was altered */
  unseal(sealed: string): Promise<string>;
}

export interface OpenedKeys extends SigningKeys {
  /**
   * Reads the file again if it has changed; if it can't be read, the current keys stay in use.
   * @returns true when the keys changed
   * @throws Error when the file is missing or invalid
   */
  reload(): Promise<boolean>;
}

export class SigningKeysMissing extends Error {
  override readonly name = 'SigningKeysMissing';
}

/**
 * @param options.mayMake false in production: automatic keys would sign everyone out if a folder is lost, and would
 * differ between processes
 * @throws SigningKeysMissing when there are no keys and none may be created
 * @throws Error when the key file exists but is invalid: a new one would sign everyone out
 */
export async function openSigningKeys(dataDir: string, options = { mayMake: true }): Promise<OpenedKeys> {
  const path = keyFilePath(dataDir);
  if ((await readKeyFile(path)) === null) {
    if (!options.mayMake)
      throw new SigningKeysMissing(
        `There is no ${path}, and production does not create one automatically. Create it once with: npm run keys`,
      );
    // The system's clock, not the product's: keys outlive a test.
    await writeKeyFile(path, await makeKeyFile(Math.floor(Date.now() / 1000)));
  }
  // The stamp is read before the file: the next check finds a change in between, and two processes that create keys at
  // the same time end up with the same ones.
  const stamp = await stampOf(path);
  const file = await readKeyFile(path);
  if (file === null) throw new Error(`The key file ${path} is missing.`);
  return followable(path, await toSigningKeys(file), stamp);
}

function followable(path: string, opened: SigningKeys, openedStamp: string): OpenedKeys {
  let current = opened;
  let stamp = openedStamp;
  return {
    get jwks() {
      return current.jwks;
    },
    get anonKey() {
      return current.anonKey;
    },
    get serviceRoleKey() {
      return current.serviceRoleKey;
    },
    sign: (claims, issuedAtS, expiresAtS) => current.sign(claims, issuedAtS, expiresAtS),
    verify: (token, nowMs) => current.verify(token, nowMs),
    successorOf: (refreshToken) => current.successorOf(refreshToken),
    keyedHash: (purpose, text) => current.keyedHash(purpose, text),
    seal: (text) => current.seal(text),
    unseal: (sealed) => current.unseal(sealed),
    async reload() {
      const next = await stampOf(path);
      if (next === stamp) return false;
      const file = await readKeyFile(path);
      if (file === null) throw new Error(`The key file ${path} is missing.`);
      current = await toSigningKeys(file);
      stamp = next;
      return true;
    },
  };
}

/** Every change replaces the file, so its inode changes. */
async function stampOf(path: string): Promise<string> {
  const { ino, mtimeMs, size } = await stat(path);
  return `${ino} ${mtimeMs} ${size}`;
}

async function toSigningKeys(file: KeyFile): Promise<SigningKeys> {
  const [current] = file.signing;
  if (current === undefined) throw new Error('The key file contains no signing key.');
  const formerAnonKeys = new Set(file.formerAnonKeys);
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
      // A former anon key is public and grants no more than the current one; this way open pages keep working.
      if (formerAnonKeys.has(token)) return { iss: 'kat', role: 'anon' };
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

function publicHalf({ kty, crv, x, y, kid, alg }: PrivateJwk): JWK {
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
