/** What is known of a user's alerts, in one place for the card, the section and the watcher. */
import { queryOptions } from '@tanstack/react-query';
import { ALERTS_SHOWN, type AlertList } from '#domain/alerts/alert.ts';
import { queryClient } from '../../platform/query-client.ts';
import { fetchAlerts } from './alerts-api.ts';

export const alertsKey = (userId: string) => ['alerts', userId];

/** The whole list. Whoever only shows what is known names it as well: of those who share a query, any one's function is called. */
export const alertsQuery = (userId: string) =>
  queryOptions<AlertList>({
    queryKey: alertsKey(userId),
    queryFn: ({ signal }) => fetchAlerts(null, signal),
    networkMode: 'always',
  });

/** Of changes to rules: while one is on its way, an answer from before it must not undo what is shown. */
export const RULE_CHANGE = ['alert-rule'];

/** A rule was made, changed or taken away on this page. */
export const RULES_EVENT = 'alerts:rules';

/** @param isWhole  false: `list` has newer alerts alone */
export function keepAlerts(userId: string, list: AlertList, isWhole: boolean): void {
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
