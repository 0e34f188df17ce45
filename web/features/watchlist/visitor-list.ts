/** A visitor's watchlist, in this browser. If storage is blocked, it lasts as long as the page. */
import { useSyncExternalStore } from 'react';
import { type WatchedPair, type Watchlist, watchlistSchema } from '#domain/watchlist/watchlist.ts';
import { pageState } from '../../page-state.ts';
import { storedValue } from '../../ui/browser/stored-value.ts';

const KEY = 'kat-watchlist';
const stored = storedValue('localStorage', KEY, watchlistSchema);

export interface VisitorList {
  pairs: Watchlist;
  /** The browser refused to store it. */
  isUnstored: boolean;
}

interface VisitorState {
  list: VisitorList | null;
  listeners: Set<() => void>;
  ended: AbortController;
}

const visitor = pageState<VisitorState>(
  () => ({ list: null, listeners: new Set(), ended: new AbortController() }),
  ({ ended }) => ended.abort(),
);

export function visitorList(): VisitorList {
  const page = visitor();
  page.list ??= { pairs: stored.read() ?? [], isUnstored: false };
  return page.list;
}

export function setVisitorList(pairs: readonly WatchedPair[]): void {
  const page = visitor();
  const isWritten = stored.write(pairs.length === 0 ? null : [...pairs]);
  show(page, { pairs, isUnstored: !isWritten && pairs.length > 0 });
}

export function useVisitorList(): VisitorList {
  return useSyncExternalStore(subscribe, visitorList, visitorList);
}

function show(page: VisitorState, list: VisitorList): void {
  page.list = list;
  for (const listener of page.listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const page = visitor();
  const { signal } = page.ended;
  // Another tab changed the list.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) show(page, { pairs: stored.read() ?? [], isUnstored: false });
  };
  if (page.listeners.size === 0) window.addEventListener('storage', onStorage, { signal });
  page.listeners.add(listener);
  return () => page.listeners.delete(listener);
}
