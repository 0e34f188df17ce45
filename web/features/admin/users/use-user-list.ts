/** The table's rows: filtered and sorted here while all users are loaded, by the server where there are more. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { type AdminUser, paidPlanOf } from '#domain/admin/admin-user.ts';
import { planLabel, planOfPriceId } from '#domain/admin/plan-view.ts';
import { DEFAULT_SORT, listUser, searchUsers, sortUsers, type UserSort } from '#domain/admin/user-list.ts';
import type { AdminSettings } from '../admin-api.ts';
import { useLoadToast } from '../use-load-toast.ts';
import { ASKED_KEY, type RowRange, useServerUsers } from './use-asked-users.ts';
import type { useLoadedUsers } from './use-loaded-users.ts';
import { type QuotaGroup, type UserQuotas, useUserQuotas } from './use-user-quotas.ts';

/** While the admin types, the server is queried this long after the last key. */
const SEARCH_REST_MS = 250;

export interface UserList {
  /** Rows of the table. */
  count: number;
  /** Undefined while loading. */
  rowAt(index: number): AdminUser | undefined;
  quotas: UserQuotas;
  /** All users are loaded: every column can be sorted during a search. */
  isLocal: boolean;
  /** The rows still belong to the previous view. */
  isBehind: boolean;
  words: string;
  setWords(words: string): void;
  isPaidOnly: boolean;
  /** Reloads the list. */
  togglePaidOnly(): void;
  sort: UserSort;
  setSort(sort: UserSort): void;
  /** Requests the missing rows of the visible range. */
  show(range: RowRange): void;
  reload(): void;
  failure: string | null;
}

/** @param nowMs  the product's clock, which decides who pays */
export function useUserList(
  settings: AdminSettings | undefined,
  loaded: ReturnType<typeof useLoadedUsers>,
  nowMs: number,
): UserList {
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const [isPaidOnly, setPaidOnly] = useState(false);
  const [sort, setSort] = useState(DEFAULT_SORT);
  const [range, setRange] = useState<RowRange>({ first: 0, last: 0 });
  const isLocal = loaded.hasAll;
  const sought = useRested(words.trim(), SEARCH_REST_MS);
  const asked = useServerUsers(isLocal ? null : { words: sought, isPaidOnly, sort }, settings, range);
  const quotas = useUserQuotas(useGroups(isLocal, loaded, asked.groups));
  const rows = useLocalRows({ settings, loaded, isLocal, words, isPaidOnly, sort, quotas, nowMs });

  const show = useCallback(
    (next: RowRange) => setRange((now) => (now.first === next.first && now.last === next.last ? now : next)),
    [],
  );
  const reload = () => {
    void loaded.refetch();
    void client.invalidateQueries({ queryKey: ASKED_KEY });
  };
  const shownCount = rows.count(isPaidOnly);
  useLoadToast(loaded, () => ({ text: `Loaded ${shownCount} users` }));
  useLoadToast(asked, () => null);
  const failed = isLocal || loaded.isError ? loaded : asked;
  return {
    count: isLocal ? rows.shown.length : asked.total,
    rowAt: isLocal ? rows.at : asked.rowAt,
    quotas,
    isLocal,
    isBehind: !isLocal && (!asked.isSettled || words.trim() !== sought),
    words,
    setWords,
    isPaidOnly,
    togglePaidOnly: () => {
      setPaidOnly(!isPaidOnly);
      reload();
    },
    sort,
    setSort,
    show,
    reload,
    failure: failed.error?.message ?? null,
  };
}

interface LocalView {
  settings: AdminSettings | undefined;
  loaded: ReturnType<typeof useLoadedUsers>;
  isLocal: boolean;
  words: string;
  isPaidOnly: boolean;
  sort: UserSort;
  quotas: UserQuotas;
  nowMs: number;
}

function useLocalRows({ settings, loaded, isLocal, words, isPaidOnly, sort, quotas, nowMs }: LocalView) {
  const users = loaded.data?.users;
  const prices = settings?.prices;
  const listed = useMemo(() => {
    if (users === undefined || prices === undefined) return [];
    return users.map((user) => listUser(user, planLabel(planOfPriceId(user.priceId, prices))));
  }, [users, prices]);
  // Only the quota column is sorted again with each quota that arrives.
  const sortQuotas = sort.key === 'quota' ? quotas : null;
  const sorted = useMemo(
    () => (isLocal ? sortUsers(listed, sort, (id) => sortQuotas?.of(id)?.remainingMonthly ?? null) : []),
    [isLocal, listed, sort, sortQuotas],
  );
  const paying = useMemo(() => {
    if (!isPaidOnly || prices === undefined) return sorted;
    return sorted.filter(({ user }) => paidPlanOf(user, prices, nowMs) !== 'free');
  }, [sorted, isPaidOnly, prices, nowMs]);
  const seeking = useDeferredValue(words);
  const shown = useMemo(() => searchUsers(paying, seeking), [paying, seeking]);
  const at = useCallback((index: number) => shown[index]?.user, [shown]);
  return { shown, at, count: (onlyPaid: boolean) => (isLocal && onlyPaid ? paying.length : (users?.length ?? 0)) };
}

/** Only for fully loaded lists: a list arriving in parts would be requested again with each part. */
function useGroups(
  isLocal: boolean,
  loaded: ReturnType<typeof useLoadedUsers>,
  askedGroups: readonly QuotaGroup[],
): readonly QuotaGroup[] {
  const last = useRef<readonly QuotaGroup[]>([]);
  const { data, dataUpdatedAt, fetchStatus } = loaded;
  if (fetchStatus === 'idle' && data !== undefined && last.current[0]?.stamp !== dataUpdatedAt)
    last.current = [{ name: 'all', stamp: dataUpdatedAt, ids: data.users.map(({ id }) => id) }];
  return isLocal ? last.current : askedGroups;
}

function useRested(words: string, restMs: number): string {
  const [rested, setRested] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), restMs);
    return () => clearTimeout(timer);
  }, [words, restMs]);
  return rested;
}
