/** Signatures of Ethereum wallets, as `personal_sign` makes them (EIP-191). Accounts that are contracts need the chain and are not known here. */
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
  // Some 27 MB once loaded, so only where somebody signs in that way.
  const { recoverMessageAddress } = await import('viem/utils');
  try {
    const signer = await recoverMessageAddress({ message, signature: `0x${digits}` });
    return signer.toLowerCase() === address.toLowerCase();
  } catch {
    // No point of the curve belongs to it: nobody signed that.
    return false;
  }
}
