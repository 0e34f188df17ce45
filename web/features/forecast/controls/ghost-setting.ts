/** Whether the ghost baseline is drawn: off at first, then the last choice, stored like the theme. */
import { useSyncExternalStore } from 'react';
import { pageState } from '../../../page-state.ts';

const KEY = 'ghostBaseline';

interface GhostState {
  /** The choice while storage is blocked. */
  unstored: boolean | null;
  listeners: Set<() => void>;
}

const ghost = pageState<GhostState>(() => ({ unstored: null, listeners: new Set() }));

export function useGhostSetting(): { isGhostShown: boolean; toggleGhost: () => void } {
  return { isGhostShown: useSyncExternalStore(subscribe, recall, () => false), toggleGhost };
}

function toggleGhost(): void {
  const isShown = !recall();
  try {
    window.localStorage.setItem(KEY, String(isShown));
    ghost().unstored = null;
  } catch {
    // Storage is blocked or full: the choice lasts until the user leaves the page.
    ghost().unstored = isShown;
  }
  for (const listener of ghost().listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const { listeners } = ghost();
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function recall(): boolean {
  const { unstored } = ghost();
  if (unstored !== null) return unstored;
  try {
    return window.localStorage.getItem(KEY) === 'true';
  } catch {
    // Storage is blocked.
    return false;
  }
}
