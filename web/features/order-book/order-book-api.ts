/** The order book's only external input: the live connection. */
import { liveFeed } from '../../platform/live/live-feed.ts';
import type { LiveWatcher } from '../../platform/live/live-socket.ts';

export { liveNowMs } from '../../platform/live/live-feed.ts';
export type { LiveEvent, LiveStatus } from '../../platform/live/live-socket.ts';

/** @returns a function that ends the watch */
export function watchBook(productId: string, watcher: LiveWatcher): () => void {
  return liveFeed().watch(productId, ['level2'], watcher);
}
