/** The list of the account or, for visitors, of this browser. A visitor's list joins the account's at its first load. */
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import {
  inOrder,
  isWatched,
  MOST_WATCHED,
  type WatchedPair,
  type Watchlist,
  withoutPairs,
  withPairs,
} from '#domain/watchlist/watchlist.ts';
import { pageState } from '../../page-state.ts';
import { reportError } from '../../platform/error-log.ts';
import { queryClient } from '../../platform/query-client.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { setVisitorList, useVisitorList, visitorList } from './visitor-list.ts';
import { changeWatchlist, fetchWatchlist, type ListChange } from './watchlist-api.ts';

export interface WatchlistState {
  /** Null until loaded. */
  pairs: Watchlist | null;
  /** Message for users: why it could not be loaded; null while all is well. */
  failure: string | null;
  isRetrying: boolean;
  retry(): void;
  /** The browser refuses to store a visitor's list. */
  isUnstored: boolean;
  /** Pairs of the visitor's list that the account's had no room for. */
  leftOut: Watchlist;
  dismissLeftOut(): void;
  change(kind: ListChange, pairs: Watchlist): void;
}

const RULES = { add: withPairs, remove: withoutPairs, order: inOrder };
const FULL = `Your watchlist is full: ${MOST_WATCHED} symbols and timeframes. Remove one first.`;
const NOTHING: Watchlist = [];

interface Pending {
  /** Changes are sent one after another, so that the last one decides the order. */
  sending: Promise<void>;
  count: number;
  leftOut: { userId: string; pairs: Watchlist } | null;
  listeners: Set<() => void>;
}

const pending = pageState<Pending>(() => ({
  sending: Promise.resolve(),
  count: 0,
  leftOut: null,
  listeners: new Set(),
}));

/** The list of who is here. */
export function useWatchlistState(): WatchlistState {
  const { initialized, user } = useSession();
  return useWatchlist(initialized ? (user?.id ?? null) : undefined);
}

/** @param userId  null for a visitor, undefined until known */
function useWatchlist(userId: string | null | undefined): WatchlistState {
  const own = useVisitorList();
  const leftOut = useSyncExternalStore(
    subscribe,
    () => pending().leftOut,
    () => null,
  );
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(userId ?? ''),
    queryFn: ({ signal }) => load(userId ?? '', signal),
    enabled: typeof userId === 'string',
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const isVisitor = userId === null;
  const pairs = userId === undefined ? null : isVisitor ? own.pairs : (data ?? null);
  return {
    pairs,
    failure: isVisitor ? null : (error?.message ?? null),
    isRetrying: isFetching && error !== null,
    retry: () => void refetch(),
    isUnstored: isVisitor && own.isUnstored,
    leftOut: leftOut !== null && leftOut.userId === userId ? leftOut.pairs : NOTHING,
    dismissLeftOut: () => setLeftOut(null),
    change(kind, changed) {
      if (pairs === null) return;
      if (kind === 'add' && pairs.length >= MOST_WATCHED) toast.error(FULL);
      else if (typeof userId === 'string') void save(userId, kind, changed);
      // As it is now: a list of stars may be drawn from before the last change.
      else setVisitorList(RULES[kind](visitorList().pairs, changed));
    },
  };
}

const keyOf = (userId: string) => ['watchlist', userId];

async function load(userId: string, signal: AbortSignal): Promise<Watchlist> {
  const { pairs } = visitorList();
  if (pairs.length === 0) return fetchWatchlist(signal);
  const joined = await changeWatchlist('add', pairs);
  setVisitorList([]);
  setLeftOut({ userId, pairs: withoutPairs(pairs, joined) });
  return joined;
}

/** Shown immediately; a failure shows the list as the server has it. */
async function save(userId: string, kind: ListChange, changed: readonly WatchedPair[]): Promise<void> {
  const queryKey = keyOf(userId);
  const page = pending();
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<Watchlist>(queryKey, (list) => list && RULES[kind](list, changed));
  page.count += 1;
  page.sending = page.sending.then(async () => {
    try {
      const list = await changeWatchlist(kind, changed);
      if (page.count === 1) queryClient.setQueryData<Watchlist>(queryKey, list);
      if (kind === 'add' && !changed.every((pair) => isWatched(list, pair))) toast.error(FULL);
    } catch (error) {
      reportError(error, { where: 'watchlist' });
      toast.error('We couldn’t save your watchlist. Please try again.');
      void queryClient.invalidateQueries({ queryKey });
    } finally {
      page.count -= 1;
    }
  });
}

function setLeftOut(leftOut: Pending['leftOut']): void {
  const page = pending();
  page.leftOut = leftOut;
  for (const listener of page.listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const { listeners } = pending();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
