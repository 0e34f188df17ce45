/**
 * Passwords: what is refused, and bcrypt one hash at a time, in a thread of its own. Hashes are interchangeable with a hosted
 * project's.
 */
import { workQueue } from '../../../platform/one-at-a-time.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { openHashingThread } from './hashing-thread.ts';

export interface Passwords {
  /**
   * @throws AppError `request/too-many` when too many hashes are waiting, or this one has waited too long;
   *         `backend/unavailable` when there is no thread to be had
   */
  hash(password: string, asker: Asker): Promise<string>;
  /** Without a stored hash a decoy is checked: the answer takes as long and is false. Throws as `hash` does. */
  matches(password: string, storedHash: string | null, asker: Asker): Promise<boolean>;
}

/** Who waits for a hash. */
export interface Asker {
  /** Of whom few may wait at a time. */
  address: string;
  /** Aborted when the asker is gone: a hash that has not begun is left out. */
  signal?: AbortSignal;
}

export interface OpenedPasswords extends Passwords {
  /** How long a hash that is asked for now waits for its turn, milliseconds. */
  expectedWaitMs(): number;
  /** Ends the thread; hashes that wait are refused. */
  close(): Promise<void>;
}

const MIN_CHARACTERS = 6;
/** bcrypt reads no further. */
const MAX_BYTES = 72;
export const PASSWORD_COST = 10;
/** At some 60 ms each the last of them waits four seconds. */
const MAX_WAITING = 64;
const MAX_OF_ONE_ADDRESS = 8;
/** Reached where other threads fill every core, so that a hash takes many times as long. */
const MAX_WAIT_MS = 20_000;

/** @param options.cost  of bcrypt; another than the product's only where many accounts are made for a test */
export function openPasswords(options: { log: Logger; cost?: number | undefined }): OpenedPasswords {
  const thread = openHashingThread({ cost: options.cost ?? PASSWORD_COST }, options.log);
  const queue = workQueue({ maxWaiting: MAX_WAITING, maxOfOne: MAX_OF_ONE_ADDRESS, maxWaitMs: MAX_WAIT_MS });
  const inTurn = <T>(work: () => Promise<T>, { address, signal }: Asker) => queue.run(work, { owner: address, signal });
  return {
    hash: (password, asker) => inTurn(() => thread.hash(password), asker),
    async matches(password, storedHash, asker) {
      const isPossible = storedHash !== null && Buffer.byteLength(password) <= MAX_BYTES;
      const isMatch = await inTurn(() => thread.isMatch(password.slice(0, MAX_BYTES), storedHash), asker);
      return isMatch && isPossible;
    },
    expectedWaitMs: () => queue.expectedWaitMs(),
    close: () => thread.close(),
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
