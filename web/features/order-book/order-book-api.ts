/** What the order book asks of the outside: the live connection, and whose market it is. */
import { useQuery } from '@tanstack/react-query';
import { publicConfig } from '../../platform/config.ts';
import { liveFeed } from '../../platform/live-feed.ts';
import type { LiveWatcher } from '../../platform/live-socket.ts';

export { liveNowMs } from '../../platform/live-feed.ts';
export type { LiveEvent, LiveStatus } from '../../platform/live-socket.ts';

/** @returns ends the watch */
export function watchBook(productId: string, watcher: LiveWatcher): () => void {
  return liveFeed().watch(productId, ['level2'], watcher);
}

/** Null while it is not known; a page without its source still shows the book. */
export function useBookSource() {
  return useQuery({ queryKey: ['market-source'], queryFn: async () => (await publicConfig()).market }).data ?? null;
}
