import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto';
import type { Sha256 } from '#domain/record/ledger/bytes.ts';
import type { VerifyTools } from '#domain/record/verify/verify-keys.ts';

export const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest();

export const nodeTools: VerifyTools = {
  sha256,
  utf8: (text) => Buffer.from(text, 'utf8'),
  verifyEd25519: (publicKey, signature, message) => verify(null, message, importPublic(publicKey), signature),
};

export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

export interface KeyPair {
  /** 32 bytes each, hex. */
  public: string;
  secret: string;
}

export function makeKeyPair(): KeyPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (x === undefined || d === undefined) throw new Error('An Ed25519 key has two halves.');
  return { public: Buffer.from(x, 'base64url').toString('hex'), secret: Buffer.from(d, 'base64url').toString('hex') };
}

export function signText(text: string, pair: KeyPair): string {
  const key = createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: base64Url(pair.public), d: base64Url(pair.secret) },
    format: 'jwk',
  });
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
}

/** The id of a key, from its 32 bytes. */
export function keyIdOfHex(publicHex: string): string {
  return hash('sha256', Buffer.from(publicHex, 'hex')).slice(0, 16);
}

function importPublic(publicKey: Uint8Array) {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  });
}

function base64Url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
