/** Hashes secrets for storage: codes of flows, links of mails, refresh tokens. */
import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal. Enough for long random secrets; six digits need a key, see one-time-token-store.ts. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
