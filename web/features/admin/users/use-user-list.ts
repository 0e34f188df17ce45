/**
 * The server searches, filters and sorts. Pages are keyed by their view, so a late answer for another is never shown.
 */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import * as z from 'zod/mini';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import type { Quota } from '#domain/forecast/quota.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import {
  DEFAULT_SORT,
  fetchUserPage,
  fetchUserQuotas,
  PAGE_ROWS,
  type UserPage,
  type UserSort,
  type UserView,
} from '../admin-api.ts';
import { useLoadToast } from '../use-admin-figures.ts';

const USERS_KEY = ['admin', 'users'] as const;
/** While the admin types, the server is queried this long after the last key. */
const SEARCH_DEBOUNCE_MS = 150;
/** How long a page scrolled past stays fresh. */
const FRESH_MS = 5 * 60_000;
/** Unused quotas expire soon, because each load of a page requests its own. */
const QUOTAS_UNUSED_MS = 30_000;

/** Visible rows, both ends inclusive. */
interface RowRange {
  first: number;
  last: number;
}

export interface UserQuotas {
  /** Undefined until loaded. */
  of(id: string): Quota | undefined;
  hasFailed: boolean;
}

export interface UserList {
  count: number;
  rowAt(index: number): AdminUser | undefined;
  quotas: UserQuotas;
  /** Neither rows nor a failure yet. */
  isWaiting: boolean;
  /** The rows still belong to the previous view. */
  isOutdated: boolean;
  isFetching: boolean;
  search: string;
  setSearch(search: string): void;
  /** The search that the rows answer; `search` may be ahead of it. */
  shownSearch: string;
  isPaidOnly: boolean;
  togglePaidOnly(): void;
  sort: UserSort;
  setSort(sort: UserSort): void;
  /** Requests the missing rows of the visible range. */
  show(range: RowRange): void;
  reload(): void;
  failure: string | null;
}

export function useUserList(): UserList {
  const client = useQueryClient();
  const [search, setSearch] = useLinkedSearch();
  const [isPaidOnly, setPaidOnly] = useState(false);
  const [sort, setSort] = useState(DEFAULT_SORT);
  const [range, setRange] = useState<RowRange>({ first: 0, last: 0 });
  /** The next load is one of the list, whose end is reported; another order or search of it is not. */
  const isLoad = useRef(true);
  const settledSearch = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS);
  const view = useMemo(() => ({ search: settledSearch, isPaidOnly, sort }), [settledSearch, isPaidOnly, sort]);
  const { top, pages, isSettled, error } = useUserPages(view, range);
  const shownSearch = useRef('');
  if (isSettled) shownSearch.current = settledSearch;
  const rowAt = useCallback(
    (index: number) => pages.get(Math.floor(index / PAGE_ROWS))?.users[index % PAGE_ROWS],
    [pages],
  );
  const show = useCallback(
    (next: RowRange) => setRange((now) => (now.first === next.first && now.last === next.last ? now : next)),
    [],
  );
  const total = top.data?.total ?? 0;
  useLoadToast(top, () => {
    if (!isLoad.current) return null;
    isLoad.current = false;
    return { text: `Loaded ${total} users` };
  });
  return {
    count: total,
    rowAt,
    quotas: useUserQuotas(view, isSettled ? pages : NO_PAGES),
    isWaiting: top.isPending,
    isOutdated: !isSettled || search.trim() !== settledSearch,
    isFetching: top.isFetching,
    search,
    setSearch,
    shownSearch: shownSearch.current,
    isPaidOnly,
    togglePaidOnly: () => {
      isLoad.current = true;
      setPaidOnly(!isPaidOnly);
      // The other view loads when it is shown, even if it was loaded before.
      void client.invalidateQueries({ queryKey: USERS_KEY, refetchType: 'none' });
    },
    sort,
    setSort,
    show,
    reload: () => {
      isLoad.current = true;
      void client.invalidateQueries({ queryKey: USERS_KEY });
    },
    failure: error?.message ?? null,
  };
}

const linkSchema = z.object({ userSearch: z.string() });

/** Starts with the text of the command that led here, if any; later commands replace it. */
function useLinkedSearch() {
  const { key, state } = useLocation();
  const linked = linkSchema.safeParse(state).data?.userSearch;
  const [search, setSearch] = useState(linked ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same text again replaces what was typed meanwhile
  useEffect(() => {
    if (linked !== undefined) setSearch(linked);
  }, [key]);
  return [search, setSearch] as const;
}

/** `stamp` changes with each load of the page. */
type LoadedPage = UserPage & { stamp: number };
const NO_PAGES: ReadonlyMap<number, LoadedPage> = new Map();

/** The first page, which is always requested, and those of the visible range. */
function useUserPages(view: UserView, { first, last }: RowRange) {
  const pageQuery = (page: number) => ({
    queryKey: [...USERS_KEY, view, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchUserPage(view, page, signal),
    staleTime: FRESH_MS,
    networkMode: 'always' as const,
  });
  const top = useQuery({ ...pageQuery(0), placeholderData: keepPreviousData });
  // Until the view's first page arrives, the previous rows stay.
  const isSettled = top.isSuccess && !top.isPlaceholderData;
  const numbers = isSettled ? pagesBetween(first, Math.min(last, (top.data?.total ?? 0) - 1)) : [];
  const rest = useQueries({ queries: numbers.map(pageQuery), combine: joinPages });
  const numbersKey = numbers.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbersKey` represents the numbers
  const pages = useMemo((): ReadonlyMap<number, LoadedPage> => {
    const loaded = new Map(numbers.flatMap((page, i) => (rest.pages[i] ? [[page, rest.pages[i]] as const] : [])));
    return top.data === undefined ? loaded : loaded.set(0, { ...top.data, stamp: top.dataUpdatedAt });
  }, [numbersKey, rest, top.data, top.dataUpdatedAt]);
  return { top, pages, isSettled, error: top.error ?? rest.error };
}

function pagesBetween(first: number, last: number): number[] {
  const pages: number[] = [];
  for (let page = Math.max(1, Math.floor(first / PAGE_ROWS)); page * PAGE_ROWS <= last; page++) pages.push(page);
  return pages;
}

interface Answered<T> {
  data: T | undefined;
  dataUpdatedAt: number;
  error: Error | null;
}

function joinPages(pages: readonly Answered<UserPage>[]): { pages: (LoadedPage | null)[]; error: Error | null } {
  return {
    pages: pages.map(({ data, dataUpdatedAt }) => (data === undefined ? null : { ...data, stamp: dataUpdatedAt })),
    error: pages.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** Remaining quota of the pages' users, requested after each load of a page. */
function useUserQuotas(view: UserView, pages: ReadonlyMap<number, LoadedPage>): UserQuotas {
  const previous = useRef<ReadonlyMap<string, Quota>>(NO_QUOTAS);
  const { quotas, failure } = useQueries({
    queries: [...pages].map(([page, { users, stamp }]) => ({
      queryKey: ['admin', 'quotas', view, page, stamp],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        users.length === 0
          ? NO_QUOTAS
          : fetchUserQuotas(
              users.map(({ id }) => id),
              signal,
            ),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: QUOTAS_UNUSED_MS,
      networkMode: 'always' as const,
    })),
    combine: joinQuotas,
  });
  useEffect(() => {
    if (failure !== null) toast.error(failure);
  }, [failure]);
  return useMemo(() => {
    // Figures of the previous load stay until the new ones arrive.
    const before = previous.current;
    if (quotas.size > 0) previous.current = quotas;
    return { of: (id) => quotas.get(id) ?? before.get(id), hasFailed: failure !== null };
  }, [quotas, failure]);
}

const NO_QUOTAS: ReadonlyMap<string, Quota> = new Map();

function joinQuotas(pages: readonly Answered<ReadonlyMap<string, Quota>>[]) {
  return {
    quotas: new Map(pages.flatMap(({ data }) => [...(data ?? [])])) as ReadonlyMap<string, Quota>,
    failure: pages.find(({ error }) => error !== null)?.error?.message ?? null,
  };
}
