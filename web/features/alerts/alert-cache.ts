import { queryOptions } from '@tanstack/react-query';
import { ALERTS_SHOWN, type AlertList } from '#domain/alerts/alert.ts';
import { queryClient } from '../../platform/query-client.ts';
import { fetchAlerts } from './alerts-api.ts';

export const alertsKey = (userId: string) => ['alerts', userId];

/** Components that only read the cache use it too: observers share a query, and any one's function may be called. */
export const alertsQuery = (userId: string) =>
  queryOptions<AlertList>({
    queryKey: alertsKey(userId),
    queryFn: ({ signal }) => fetchAlerts(null, signal),
    networkMode: 'always',
  });

/** Mutation key of rule changes: while one is pending, an older answer must not undo what is shown. */
export const RULE_CHANGE = ['alert-rule'];

export const RULES_EVENT = 'alerts:rules';

/** @param isWhole  false: `list` has only newer alerts */
export function cacheAlerts(userId: string, list: AlertList, isWhole: boolean): void {
  const isChanging = queryClient.isMutating({ mutationKey: RULE_CHANGE }) > 0;
  queryClient.setQueryData<AlertList>(alertsKey(userId), (known) => {
    if (known === undefined) return isWhole ? list : undefined;
    const alerts = isWhole ? list.alerts : withNewer(known.alerts, list.alerts);
    return { ...list, alerts, rules: isChanging ? known.rules : list.rules };
  });
}

function withNewer(known: AlertList['alerts'], newer: AlertList['alerts']): AlertList['alerts'] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...known.filter(({ id }) => !ids.has(id))].slice(0, ALERTS_SHOWN);
}
