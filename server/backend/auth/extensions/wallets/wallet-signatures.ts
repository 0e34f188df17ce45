/** Signatures of Ethereum wallets by `personal_sign` (EIP-191). Contract accounts need the chain; not supported. */
import { createPublicKey, verify } from 'node:crypto';
import { validationFailed } from '../../auth-error.ts';

const SIGNATURE = /^(?:0x)?([0-9a-f]{128})([0-9a-f]{2})$/i;
/** The last byte of a signature says which of two public keys signed. Wallets write it in one of two ways. */
const RECOVERY_BITS: Readonly<Record<string, 0 | 1>> = { '00': 0, '01': 1, '1b': 0, '1c': 1 };

/**
 * @param address 0x and 40 hex digits. @throws AuthError 400 validation_failed when it is not 65 bytes in hexadecimal
 */
export async function isSignedByEthereum(address: string, message: string, signature: string): Promise<boolean> {
  const [, numbers, parity] = SIGNATURE.exec(signature) ?? [];
  if (numbers === undefined || parity === undefined)
    throw validationFailed('signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string');
  const recoveryBit = RECOVERY_BITS[parity.toLowerCase()];
  if (recoveryBit === undefined) return false;
  // Loaded only for such a sign-in, because most servers never see one.
  const [{ secp256k1 }, { keccak_256: keccak }] = await Promise.all([
    import('@noble/curves/secp256k1.js'),
    import('@noble/hashes/sha3.js'),
  ]);
  const text = Buffer.from(message, 'utf8');
  const signed = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]);
  try {
    const key = secp256k1.Signature.fromHex(numbers, 'compact')
      .addRecoveryBit(recoveryBit)
      .recoverPublicKey(keccak(signed))
      .toBytes(false);
    // An address is the last 20 bytes of the hash of the key, which is written without its leading format byte.
    const signer = Buffer.from(keccak(key.subarray(1)).subarray(-20)).toString('hex');
    return `0x${signer}` === address.toLowerCase();
  } catch {
    // No point of the curve matches, so the signature is invalid.
    return false;
  }
}

const SOLANA_SIGNATURE = /^[A-Za-z0-9+/_-]{86}(?:==)?$/;
const KEY_BYTES = 32;

/** @throws AuthError 400 validation_failed when it is not 64 bytes in base 64 (either alphabet) */
export function isSignedBySolana(address: string, message: string, signature: string): boolean {
  if (!SOLANA_SIGNATURE.test(signature))
    throw validationFailed('signature must be 64 bytes encoded as base64 with or without padding');
  const keyBytes = base58Bytes(address);
  if (keyBytes?.length !== KEY_BYTES) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(keyBytes).toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(null, Buffer.from(message, 'utf8'), key, Buffer.from(signature, 'base64'));
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const MAX_DIGITS = 44;

/** Each leading 1 is a zero byte. Null for invalid base 58. */
export function base58Bytes(text: string): Uint8Array | null {
  if (text.length > MAX_DIGITS) return null;
  let number = 0n;
  for (const digit of text) {
    const value = BASE58.indexOf(digit);
    if (value === -1) return null;
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? '' : number.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...new Uint8Array(zeros), ...bytes]);
}
