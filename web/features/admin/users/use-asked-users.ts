/**
 * Users that the server filters and sorts, for lists larger than a browser holds: loads the visible pages while
 * scrolling. Pages are keyed by view, so a late answer for another view is never shown.
 */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import { type AdminSettings, fetchUserPage, PAGE_ROWS, type UserPage } from '../admin-api.ts';
import type { QuotaGroup } from './use-user-quotas.ts';
import type { UserView } from './user-query.ts';

export const ASKED_KEY = ['admin', 'asked'] as const;

export function usersPageKey(view: UserView | null, page: number) {
  return [...ASKED_KEY, view, page] as const;
}
/** How long a page scrolled past stays fresh. */
const FRESH_MS = 5 * 60_000;

/** Visible rows, both ends inclusive. */
export interface RowRange {
  first: number;
  last: number;
}

/** @param view  null: nothing is requested */
export function useServerUsers(view: UserView | null, settings: AdminSettings | undefined, { first, last }: RowRange) {
  const isOn = view !== null && settings !== undefined;
  const ask = (page: number) => ({
    queryKey: usersPageKey(view, page),
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      if (view === null || settings === undefined) throw new Error('There is no view to ask for');
      return fetchUserPage({ view, page, settings, hasTotal: page === 0 }, signal);
    },
    enabled: isOn,
    staleTime: FRESH_MS,
    networkMode: 'always' as const,
  });
  const top = useQuery({ ...ask(0), placeholderData: keepPreviousData });
  // Until the view's first page arrives, the previous rows stay.
  const isSettled = isOn && top.isSuccess && !top.isPlaceholderData;
  const lastPage = Math.ceil((top.data?.total ?? 0) / PAGE_ROWS) - 1;
  const pages = isSettled ? pagesBetween(first, Math.min(last, (lastPage + 1) * PAGE_ROWS - 1)) : [];
  const rest = useQueries({ queries: pages.map(ask), combine: joinPages });
  const pageKey = pages.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pageKey` represents the pages
  const loaded = useMemo(() => {
    const byNumber = new Map<number, Loaded>(pages.flatMap((page, i) => (rest[i] ? [[page, rest[i]] as const] : [])));
    if (top.data !== undefined) byNumber.set(0, { ...top.data, stamp: top.dataUpdatedAt });
    return byNumber;
  }, [pageKey, rest, top.data, top.dataUpdatedAt]);
  const rowAt = useMemo(
    () =>
      (index: number): AdminUser | undefined =>
        loaded.get(Math.floor(index / PAGE_ROWS))?.users[index % PAGE_ROWS],
    [loaded],
  );
  return { ...top, total: top.data?.total ?? 0, isSettled, rowAt, groups: isSettled ? groupsOf(view, loaded) : [] };
}

type Loaded = UserPage & { stamp: number };

function joinPages(pages: readonly { data: UserPage | undefined; dataUpdatedAt: number }[]): (Loaded | null)[] {
  return pages.map(({ data, dataUpdatedAt }) => (data === undefined ? null : { ...data, stamp: dataUpdatedAt }));
}

/** All pages but the first, which is always requested. */
function pagesBetween(first: number, last: number): number[] {
  const pages: number[] = [];
  for (let page = Math.max(1, Math.floor(first / PAGE_ROWS)); page * PAGE_ROWS <= last; page++) pages.push(page);
  return pages;
}

function groupsOf(view: UserView, loaded: ReadonlyMap<number, Loaded>): QuotaGroup[] {
  return [...loaded].map(([page, { users, stamp }]) => ({
    name: `${JSON.stringify(view)} ${page}`,
    stamp,
    ids: users.map(({ id }) => id),
  }));
}
