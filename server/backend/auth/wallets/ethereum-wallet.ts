/** Signatures of Ethereum wallets by `personal_sign` (EIP-191). Contract accounts need the chain; not supported. */
import { validationFailed } from '../auth-error.ts';

const SIGNATURE = /^(?:0x)?([0-9a-f]{128})([0-9a-f]{2})$/i;
/** The last byte of a signature says which of two public keys signed. Wallets write it in one of two ways. */
const RECOVERY_BITS: Readonly<Record<string, 0 | 1>> = { '00': 0, '01': 1, '1b': 0, '1c': 1 };

/**
 * @param address  0x and 40 hexadecimal digits
 * @throws AuthError 400 validation_failed when it is not 65 bytes in hexadecimal
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
