/** Parses feeds in a separate thread, so that their time and memory do not burden the server. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import type { FeedOrder } from './feed-worker.ts';
import type { FeedItem } from './read-feed.ts';

export interface FeedReader {
  /** In order. @throws AppError `venue/unavailable` for an invalid or slow feed; the signal's reason on abort */
  read(order: FeedOrder, signal: AbortSignal): Promise<FeedItem[]>;
  close(): Promise<void>;
}

const WORKER_FILE = new URL('./feed-worker.ts', import.meta.url);
/** A busy machine needs seconds to load the parser. */
const START_LIMIT_MS = 30_000;
const LIMIT_MS = 8000;
const MEMORY_MB = 192;

const itemSchema = z.object({
  title: z.string(),
  url: z.string(),
  guid: z.nullable(z.string()),
  summary: z.nullable(z.string()),
  publishedMs: z.nullable(z.number()),
  pictureUrl: z.nullable(z.string()),
});
const reportSchema = z.union([z.object({ items: z.array(itemSchema) }), z.object({ failed: z.string() })]);

/** Starts its thread with the first feed; after a crash the next feed gets a new thread. */
export function openFeedReader({ limitMs = LIMIT_MS }: { limitMs?: number } = {}): FeedReader {
  let worker: Promise<Worker> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function stop(): Promise<void> {
    const stopping = worker;
    worker = null;
    await (await stopping?.catch(() => null))?.terminate();
  }

  async function readNext(order: FeedOrder, signal: AbortSignal): Promise<FeedItem[]> {
    signal.throwIfAborted();
    try {
      worker ??= startWorker(signal);
      const thread = await worker;
      const reply = messageOf(thread, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      thread.postMessage(order);
      const report = reportSchema.parse(await reply);
      if ('items' in report) return report.items;
      throw notUnderstood(report.failed);
    } catch (error) {
      if (error instanceof AppError) throw error;
      await stop();
      signal.throwIfAborted();
      throw notUnderstood(error);
    }
  }

  return {
    read(order, signal) {
      const reading = last.then(() => readNext(order, signal));
      // The next feed waits for the end of this one, whatever its outcome.
      last = reading.catch(() => undefined);
      return reading;
    },
    async close() {
      await last;
      await stop();
    },
  };
}

async function startWorker(signal: AbortSignal): Promise<Worker> {
  const worker = new Worker(WORKER_FILE, {
    // Test runners set flags that a plain thread must not inherit.
    execArgv: [],
    name: 'feeds',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Without a listener an error between two feeds would crash the server.
  worker.on('error', () => undefined);
  try {
    await messageOf(worker, AbortSignal.any([signal, AbortSignal.timeout(START_LIMIT_MS)]));
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

async function messageOf(worker: Worker, signal: AbortSignal): Promise<unknown> {
  const stop = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('The thread ended without a reply'));
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', onExit);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal });
      stop.signal.addEventListener('abort', () => {
        worker.off('message', resolve);
        worker.off('error', reject);
        worker.off('exit', onExit);
      });
    });
  } finally {
    stop.abort();
  }
}

function notUnderstood(cause: unknown): AppError {
  return new AppError('venue/unavailable', { details: { reason: 'not a feed' }, cause });
}
