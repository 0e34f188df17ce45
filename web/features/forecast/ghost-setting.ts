/** Whether the ghost baseline is drawn: off at first, then as it was last left. Remembered like the theme. */
import { useSyncExternalStore } from 'react';

const KEY = 'ghostBaseline';
const listeners = new Set<() => void>();
/** What was chosen while storage is blocked. */
let unstored: boolean | null = null;

export function useGhostSetting(): { isGhostShown: boolean; toggleGhost: () => void } {
  return { isGhostShown: useSyncExternalStore(subscribe, recall, () => false), toggleGhost };
}

function toggleGhost(): void {
  const isShown = !recall();
  try {
    window.localStorage.setItem(KEY, String(isShown));
    unstored = null;
  } catch {
    // Storage is blocked or full: the choice holds until the page is left.
    unstored = isShown;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function recall(): boolean {
  if (unstored !== null) return unstored;
  try {
    return window.localStorage.getItem(KEY) === 'true';
  } catch {
    // Storage is blocked.
    return false;
  }
}
