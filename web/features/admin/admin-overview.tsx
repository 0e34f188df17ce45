/** The admin's overview: figures, charts, and every user. */
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/browser/use-now.ts';
import { ErrorState } from '../../ui/status/state.tsx';
import { adminSettings } from './admin-api.ts';
import { AdminCharts } from './admin-charts.tsx';
import styles from './admin-overview.module.css';
import { SummaryCards } from './summary-cards.tsx';
import { useUserFigures } from './use-admin-figures.ts';
import { useLoadedUsers } from './users/use-loaded-users.ts';
import { useUserList } from './users/use-user-list.ts';
import { UsersPanel } from './users/users-panel.tsx';

/** Refresh interval of the countdowns. */
const COUNTDOWN_MS = 60_000;

export function AdminOverview() {
  const settings = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: adminSettings,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  const nowMs = useNow(COUNTDOWN_MS) + (settings.data?.clockOffsetMs ?? 0);
  const loaded = useLoadedUsers(settings.data);
  const list = useUserList(settings.data, loaded, nowMs);
  const figures = useUserFigures(settings.data, loaded, nowMs);
  if (settings.isError)
    return (
      <ErrorState
        title="The settings could not be loaded"
        text="Without them no plan can be named."
        onRetry={() => void settings.refetch()}
        isRetrying={settings.isFetching}
      />
    );
  const hasFailed = figures.hasFailed || (loaded.isError && loaded.data === undefined);
  return (
    <div className={styles.overview}>
      <SummaryCards summary={figures.summary} hasFailed={hasFailed} />
      <AdminCharts
        summary={figures.summary}
        renewals={figures.renewals}
        hasFailed={hasFailed}
        isRetrying={loaded.isFetching || figures.isFetching}
        onRetry={() => {
          if (loaded.isError) void loaded.refetch();
          else figures.refetch();
        }}
      />
      <UsersPanel list={list} loaded={loaded} prices={settings.data?.prices ?? null} nowMs={nowMs} />
    </div>
  );
}
