/** The keys of a browser's subscription: only they can read its messages (RFC 8291). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

export interface BrowserKeys {
  /** Base64url, as browsers report them. */
  p256dh: string;
  auth: string;
  /** @throws Error for a body that is for another browser, or was altered */
  read(body: Buffer): string;
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Ends the last record; zeros may follow. */
const LAST = 2;

export function browserKeys(): BrowserKeys {
  const pair = createECDH('prime256v1');
  const own = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    p256dh: own.toString('base64url'),
    auth: auth.toString('base64url'),
    read(body) {
      const salt = body.subarray(0, SALT_BYTES);
      const keyBytes = body[20] ?? 0;
      const sender = body.subarray(21, 21 + keyBytes);
      const sealed = body.subarray(21 + keyBytes);
      const secret = pair.computeSecret(sender);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
      const input = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16));
      const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12));
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const record = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
      const end = record.lastIndexOf(LAST);
      if (end < 0 || record.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record');
      return record.subarray(0, end).toString('utf8');
    },
  };
}
