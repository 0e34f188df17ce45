/** Whether the screen is a phone's, where the book is short until all of it is asked for. */
import { useSyncExternalStore } from 'react';

/** As wide as in live-book.module.css. */
const QUERY = '(max-width: 640px)';

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function isNarrow(): boolean {
  return matchMedia(QUERY).matches;
}
