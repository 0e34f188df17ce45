/** bcrypt, one hash at a time in a separate thread; hashes are interchangeable with a hosted project's. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { Backlog } from '../../../platform/admission/admission.ts';
import { workQueue } from '../../../platform/one-at-a-time.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import type { HashingOrder, HashingReport, HashingSettings } from './hashing-worker.ts';

export interface Passwords {
  /** @throws AppError `request/too-many` (queue full, or waited too long); `backend/unavailable` without a thread */
  hash(password: string, requester: PasswordRequester): Promise<string>;
  /** Without a stored hash, checks a decoy: takes as long, and returns false. Throws like `hash`. */
  matches(password: string, storedHash: string | null, requester: PasswordRequester): Promise<boolean>;
}

export interface PasswordRequester {
  /** Only a few hashes per address may wait at the same time. */
  address: string;
  /** Aborted when the client disconnects: a hash that has not started is skipped. */
  signal?: AbortSignal;
}

export interface OpenedPasswords extends Passwords {
  /** Hashes that are requested and not computed. */
  backlog(): Backlog;
  close(): Promise<void>;
}

const MIN_CHARACTERS = 6;
/** bcrypt ignores anything beyond. */
const MAX_BYTES = 72;
export const PASSWORD_COST = 10;
/** At some 60 ms each, the last one waits four seconds. */
const MAX_WAITING = 64;
const MAX_OF_ONE_ADDRESS = 8;
/** Reached only if other threads fill every core, so that a hash takes many times as long. */
const MAX_WAIT_MS = 20_000;

/** @param options.cost  of bcrypt; differs from the product's only where a test creates many accounts */
export function openPasswords(options: { log: Logger; cost?: number | undefined }): OpenedPasswords {
  const thread = openHashingThread({ cost: options.cost ?? PASSWORD_COST }, options.log);
  const queue = workQueue({ maxWaiting: MAX_WAITING, maxOfOne: MAX_OF_ONE_ADDRESS, maxWaitMs: MAX_WAIT_MS });
  const inTurn = <T>(work: () => Promise<T>, { address, signal }: PasswordRequester) =>
    queue.run(work, { owner: address, signal });
  return {
    hash: (password, requester) => inTurn(() => thread.hash(password), requester),
    async matches(password, storedHash, requester) {
      const isPossible = storedHash !== null && Buffer.byteLength(password) <= MAX_BYTES;
      const isMatch = await inTurn(() => thread.isMatch(password.slice(0, MAX_BYTES), storedHash), requester);
      return isMatch && isPossible;
    },
    backlog: queue.backlog,
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

export interface HashingThread {
  /** The caller must wait for the result before the next call. @throws AppError `backend/unavailable` */
  hash(password: string): Promise<string>;
  /** Without a stored hash, compares a decoy, which takes as long. Throws like `hash`. */
  isMatch(password: string, storedHash: string | null): Promise<boolean>;
  close(): Promise<void>;
}

const WORKER_FILE = new URL('./hashing-worker.ts', import.meta.url);
/** Starting takes 12 MB; hashes themselves need none of it. */
const MEMORY_MB = 24;
const TRIES = 2;

const reportSchema = z.union([
  z.object({ hash: z.string() }),
  z.object({ isMatch: z.boolean() }),
  z.object({ failed: z.string() }),
]);

export function openHashingThread(settings: HashingSettings, log: Logger): HashingThread {
  let worker: Worker | null = null;
  let pending: PromiseWithResolvers<unknown> | null = null;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(WORKER_FILE, {
      workerData: settings,
      // Test runners pass their own flags, which a plain thread must not inherit.
      execArgv: [],
      name: 'passwords',
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    let failure: unknown;
    started.on('message', (message: unknown) => pending?.resolve(message));
    started.on('error', (error) => {
      failure = error;
    });
    started.once('exit', () => {
      worker = null;
      pending?.reject(new Error('The password-hashing thread ended', { cause: failure }));
    });
    return started;
  }

  /** @throws Error when the thread ends meanwhile */
  async function answerTo(order: HashingOrder): Promise<unknown> {
    worker ??= start();
    const thread = worker;
    pending = Promise.withResolvers();
    thread.ref();
    thread.postMessage(order);
    try {
      return await pending.promise;
    } finally {
      pending = null;
      // When idle, it doesn't keep the process alive.
      thread.unref();
    }
  }

  async function run(order: HashingOrder): Promise<HashingReport> {
    if (pending !== null) throw new Error('The password-hashing thread is already busy');
    for (let triesLeft = TRIES; ; ) {
      if (isClosed) throw new AppError('backend/unavailable');
      try {
        return reportSchema.parse(await answerTo(order));
      } catch (error) {
        triesLeft -= 1;
        if (isClosed) continue;
        log.error({ err: error, triesLeft }, 'a password was not hashed');
        if (triesLeft === 0) throw new AppError('backend/unavailable', { cause: error });
      }
    }
  }

  return {
    async hash(password) {
      const report = await run({ kind: 'hash', password });
      if ('hash' in report) return report.hash;
      throw notAnswered(report);
    },
    async isMatch(password, storedHash) {
      const report = await run({ kind: 'compare', password, storedHash });
      if ('isMatch' in report) return report.isMatch;
      throw notAnswered(report);
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function notAnswered(report: HashingReport): Error {
  return new Error('failed' in report ? report.failed : 'The password-hashing thread sent an unexpected reply');
}
