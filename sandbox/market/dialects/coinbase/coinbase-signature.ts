/** Access to Coinbase's closed channels: a subscription signed with the sandbox's key. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/** The server's sandbox source uses the same keys. */
const KEYS = { key: 'sandbox', secret: 'c2FuZGJveA==', passphrase: 'sandbox' };
const SIGNED_PATH = '/users/self/verify';

const signedSchema = z.object({
  signature: z.string(),
  key: z.string(),
  passphrase: z.string(),
  // Its age is not checked, because the sandbox's clock differs from the signer's.
  timestamp: z.union([z.string().check(z.regex(/^\d{1,12}(\.\d{1,9})?$/)), z.number()]),
});

/** 'unsigned' if there are no signature fields; 'wrong' if there are some but the signature is invalid. */
export function checkSignature(text: string): 'unsigned' | 'wrong' | 'valid' {
  const frame: unknown = JSON.parse(text);
  if (typeof frame !== 'object' || frame === null) return 'unsigned';
  if (!['signature', 'key', 'passphrase'].some((field) => field in frame)) return 'unsigned';
  const signed = signedSchema.safeParse(frame);
  if (!signed.success) return 'wrong';
  const { signature, key, passphrase, timestamp } = signed.data;
  const expected = createHmac('sha256', Buffer.from(KEYS.secret, 'base64'))
    .update(`${timestamp}GET${SIGNED_PATH}`)
    .digest();
  const given = Buffer.from(signature, 'base64');
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return isSame && key === KEYS.key && passphrase === KEYS.passphrase ? 'valid' : 'wrong';
}
