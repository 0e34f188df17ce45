/** Secrets of endpoints, and the signature of a request: HMAC-SHA256 over its time and text, as payment providers sign. */
import { createHmac, randomBytes } from 'node:crypto';

export const SIGNATURE_HEADER = 'kat-signature';

/** Shown to its owner once. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** The header's value: `t=SECONDS,v1=HEX`, with one `v1` for each secret that is valid. */
export function signatureOf(body: string, secrets: readonly string[], nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}
