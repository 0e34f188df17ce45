import { parentPort } from 'node:worker_threads';
import * as z from 'zod/mini';
import { type FeedItem, readFeed } from './read-feed.ts';

const orderSchema = z.object({ text: z.string(), feedUrl: z.string() });
export type FeedOrder = z.infer<typeof orderSchema>;
export type FeedReport = { ready: true } | { items: FeedItem[] } | { failed: string };

parentPort?.on('message', (order: unknown) => report(read(order)));
report({ ready: true });

function report(message: FeedReport): void {
  parentPort?.postMessage(message);
}

function read(order: unknown): FeedReport {
  try {
    const { text, feedUrl } = orderSchema.parse(order);
    return { items: readFeed(text, feedUrl) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : 'unknown' };
  }
}
