/** Whether the browser has a network. With one, the server may still be unavailable. */
import { usePrerenderedStore } from './prerendered-store.ts';

export function useIsOnline(): boolean {
  return usePrerenderedStore(watchLine, () => navigator.onLine, true);
}

function watchLine(onChange: () => void): () => void {
  const ended = new AbortController();
  for (const event of ['online', 'offline']) window.addEventListener(event, onChange, ended);
  return () => ended.abort();
}
