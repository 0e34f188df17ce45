/**
 * Starts, calls and ends the thread that hashes passwords. It starts with the first password (some 100 ms, 30 MiB) and
 * stays. If it crashes, it is replaced and its pending call is retried once.
 */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { HashingOrder, HashingReport, HashingSettings } from './hashing-worker.ts';

export interface HashingThread {
  /** The caller must wait for the result before the next call. @throws AppError `backend/unavailable` */
  hash(password: string): Promise<string>;
  /** Without a stored hash, compares a decoy, which takes as long. Throws like `hash`. */
  isMatch(password: string, storedHash: string | null): Promise<boolean>;
  /** Rejects a pending call. */
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
  let asked: PromiseWithResolvers<unknown> | null = null;
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
    started.on('message', (message: unknown) => asked?.resolve(message));
    started.on('error', (error) => {
      failure = error;
    });
    started.once('exit', () => {
      worker = null;
      asked?.reject(new Error('The thread that hashes passwords ended', { cause: failure }));
    });
    return started;
  }

  /** @throws Error when the thread ends meanwhile */
  async function answerTo(order: HashingOrder): Promise<unknown> {
    worker ??= start();
    const thread = worker;
    asked = Promise.withResolvers();
    thread.ref();
    thread.postMessage(order);
    try {
      return await asked.promise;
    } finally {
      asked = null;
      // When idle, it doesn't keep the process alive.
      thread.unref();
    }
  }

  async function ask(order: HashingOrder): Promise<HashingReport> {
    if (asked !== null) throw new Error('The thread that hashes passwords has a question already');
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
      const report = await ask({ kind: 'hash', password });
      if ('hash' in report) return report.hash;
      throw notAnswered(report);
    },
    async isMatch(password, storedHash) {
      const report = await ask({ kind: 'compare', password, storedHash });
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
  return new Error('failed' in report ? report.failed : 'The thread that hashes passwords answered something else');
}
