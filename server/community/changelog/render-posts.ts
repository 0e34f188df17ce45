/** Renders posts to HTML in a separate thread, so that the parser's time and memory do not burden the server. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type PostHtml, plainPost } from './post-html.ts';

const WORKER_FILE = new URL('./render-worker.ts', import.meta.url);
/** Covers the thread's start and fifty of the longest and worst posts on a busy machine. */
const LIMIT_MS = 30_000;
const MEMORY_MB = 256;

const reportSchema = z.object({ title: z.string(), html: z.string() });

export interface Rendered {
  /** One for each post, in order; plain text from the post that crashed the thread or took too long. */
  pages: PostHtml[];
  isWhole: boolean;
}

export async function renderPosts(
  contents: readonly string[],
  log: Logger,
  { limitMs = LIMIT_MS }: { limitMs?: number } = {},
): Promise<Rendered> {
  if (contents.length === 0) return { pages: [], isWhole: true };
  const done: PostHtml[] = [];
  const worker = new Worker(WORKER_FILE, {
    // Test runners set flags that a plain thread must not inherit.
    execArgv: [],
    name: 'changelog',
    workerData: contents,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Too slow')), limitMs);
      worker.on('message', (message: unknown) => {
        const report = reportSchema.safeParse(message);
        if (report.success) done.push(report.data);
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } catch (error) {
    log.warn({ err: error, posts: contents.length, done: done.length }, 'posts are shown as plain text');
  } finally {
    await worker.terminate();
  }
  return {
    pages: contents.map((content, index) => done[index] ?? plainPost(content)),
    isWhole: done.length === contents.length,
  };
}
