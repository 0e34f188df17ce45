/** How a secret is kept that only its holder knows: codes of flows, links of mails, refresh tokens. */
import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal. Enough for what is random and long; six digits need a key, see one-time-token-store.ts. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
