/** Passwords: what is refused, and bcrypt one hash at a time. Hashes are interchangeable with a hosted project's. */
import { randomUUID } from 'node:crypto';
import { hash, hashSync, verify } from '@node-rs/bcrypt';
import { workQueue } from '../../platform/one-at-a-time.ts';
import { AuthError, validationFailed } from './auth-error.ts';

export interface Passwords {
  /**
   * @param address  the caller's, of whom few may wait at a time
   * @throws AppError `request/too-many` when too many hashes are waiting
   */
  hash(password: string, address: string): Promise<string>;
  /** Without a stored hash a decoy is checked: the answer takes as long and is false. Throws as `hash` does. */
  matches(password: string, storedHash: string | null, address: string): Promise<boolean>;
}

const MIN_CHARACTERS = 6;
/** bcrypt reads no further. */
const MAX_BYTES = 72;
export const PASSWORD_COST = 10;
/** At some 60 ms each the last of them waits four seconds. */
const MAX_WAITING = 64;
const MAX_OF_ONE_ADDRESS = 8;

/** Of a random text that was thrown away, at the same cost. */
const DECOY = '$2b$10$wNpxfxmtEn.MtIyc40acHOtvDdn21nuSEh6frdnQXONmvkgw7qYM6';

/** @param cost  of bcrypt; another than the product's only where many accounts are made for a test */
export function passwords(cost = PASSWORD_COST): Passwords {
  const decoy = cost === PASSWORD_COST ? DECOY : hashSync(randomUUID(), cost);
  const queue = workQueue({ maxWaiting: MAX_WAITING, maxOfOne: MAX_OF_ONE_ADDRESS });
  return {
    hash: (password, address) => queue.run(() => hash(password, cost), address),
    async matches(password, storedHash, address) {
      const isPossible = storedHash !== null && Buffer.byteLength(password) <= MAX_BYTES;
      const isMatch = await queue.run(() => verify(password.slice(0, MAX_BYTES), storedHash ?? decoy), address);
      return isMatch && isPossible;
    },
  };
}

/** @throws AuthError 422 weak_password, 400 validation_failed */
export function checkNewPassword(password: string): void {
  if (password.length < MIN_CHARACTERS) {
    const message = `Password should be at least ${MIN_CHARACTERS} characters.`;
    throw new AuthError(422, 'weak_password', message, { fields: { weak_password: { message, reasons: ['length'] } } });
  }
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw validationFailed(`Password cannot be longer than ${MAX_BYTES} bytes`);
}
