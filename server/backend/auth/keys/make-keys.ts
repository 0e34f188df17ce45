/** Creates signing keys, and the two long-lived api keys signed with them. */
import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { KeyFile, PrivateJwk } from './key-file.ts';

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
