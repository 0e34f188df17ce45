/** Hashes and signatures as the browser computes them, for the checks of the public record. */
import type { VerifyTools } from '#domain/record/verify/verify-keys.ts';

const ED25519_KEY_BYTES = 32;

/** @returns null without hashes, as on plain HTTP; without Ed25519 (`verifyEd25519` null) signatures stay unchecked */
export async function browserTools(): Promise<VerifyTools | null> {
  // Typed as always present, but missing on plain HTTP from another machine.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return null;
  const encoder = new TextEncoder();
  return {
    utf8: (text) => encoder.encode(text),
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', ownBytes(bytes))),
    verifyEd25519: (await knowsEd25519(subtle))
      ? async (publicKey, signature, message) => {
          const key = await subtle.importKey('raw', ownBytes(publicKey), 'Ed25519', false, ['verify']);
          return subtle.verify('Ed25519', key, ownBytes(signature), ownBytes(message));
        }
      : null,
  };
}

/** Tries a well-formed key: browsers without Ed25519 reject the name. */
async function knowsEd25519(subtle: SubtleCrypto): Promise<boolean> {
  try {
    const one = new Uint8Array(ED25519_KEY_BYTES);
    one[0] = 1;
    await subtle.importKey('raw', one, 'Ed25519', false, ['verify']);
    return true;
  } catch {
    // NotSupportedError.
    return false;
  }
}

/** WebCrypto accepts no bytes that might be shared with another thread. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
