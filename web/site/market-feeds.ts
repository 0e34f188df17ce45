/** What each part of a page knows about the market's data, so that the page can tell when all of it has failed. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { pageState } from '../page-state.ts';

export type FeedPart = 'candles' | 'book' | 'price';
/** Null while a part waits for its first data. */
export type ShownFeedState = 'current' | 'failing' | null;
export type FeedStates = Partial<Record<FeedPart, ShownFeedState>>;

const page = pageState(() => ({
  states: {} as FeedStates,
  listeners: new Set<() => void>(),
  returns: new Set<() => void>(),
}));

/** @param state  undefined: this part has nothing to report */
export function useFeedState(feed: FeedPart, state: ShownFeedState | undefined): void {
  useEffect(() => {
    if (state === undefined) return;
    set(feed, state);
    return () => set(feed, undefined);
  }, [feed, state]);
}

function set(feed: FeedPart, state: ShownFeedState | undefined): void {
  const shared = page();
  const { [feed]: _, ...others } = shared.states;
  shared.states = state === undefined ? others : { ...others, [feed]: state };
  for (const listener of shared.listeners) listener();
}

export function useFeedStates(): FeedStates {
  return useSyncExternalStore(listen, statesNow, statesNow);
}

const statesNow = () => page().states;

function listen(listener: () => void): () => void {
  const { listeners } = page();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when the market's data is available again after all of it had failed. */
export function useMarketReturn(onReturn: () => void): void {
  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    const { returns } = page();
    const call = () => latest.current();
    returns.add(call);
    return () => void returns.delete(call);
  }, []);
}

export function reportMarketReturn(): void {
  for (const call of page().returns) call();
}
