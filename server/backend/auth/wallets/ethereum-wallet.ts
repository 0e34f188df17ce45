/** Signatures of Ethereum wallets by `personal_sign` (EIP-191). Contract accounts need the chain; not supported. */
import { validationFailed } from '../auth-error.ts';

const SIGNATURE = /^(?:0x)?([0-9a-f]{130})$/i;

/**
 * @param address  0x and 40 hexadecimal digits
 * @throws AuthError 400 validation_failed when it is not 65 bytes in hexadecimal
 */
export async function isSignedByEthereum(address: string, message: string, signature: string): Promise<boolean> {
  const digits = SIGNATURE.exec(signature)?.[1];
  if (digits === undefined)
    throw validationFailed('signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string');
  // Takes some 27 MB once loaded, so it is loaded only for such a sign-in.
  const { recoverMessageAddress } = await import('viem/utils');
  try {
    const signer = await recoverMessageAddress({ message, signature: `0x${digits}` });
    return signer.toLowerCase() === address.toLowerCase();
  } catch {
    // No point of the curve matches, so the signature is invalid.
    return false;
  }
}
