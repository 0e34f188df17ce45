import { createHmac } from 'node:crypto';

/** The provider's header: the time, and the proof that the body was signed then. */
export function signatureHeader(body: string, { secret, atS }: { secret: string; atS: number }): string {
  const proof = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return `t=${atS},v1=${proof}`;
}
