/** Whether the screen is a phone's, where the book stays short until the user expands it. */
import { useSyncExternalStore } from 'react';

/** The same width as in live-book.module.css. */
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
