import type { ComponentType } from 'react';
import { hasFeature } from '#domain/billing/plans.ts';
import { OwnAvatar } from '../../features/account/avatar/own-avatar.tsx';
import { useBells } from '../../features/alerts/rules/use-bells.ts';
import { focusVerification, VerifyEmailBanner } from '../../features/auth/verify-email-banner.tsx';
import { PlanPanel } from '../../features/billing/plans/plan-panel.tsx';
import { QuotaPanel } from '../../features/billing/plans/quota-panel.tsx';
import { Countdown } from '../../features/dashboard/countdown.tsx';
import { DashboardLinks } from '../../features/dashboard/dashboard-links.tsx';
import { EmptyRow } from '../../features/dashboard/empty-row.tsx';
import { useFirstLoad } from '../../features/dashboard/use-first-load.ts';
import { useHasPredictions } from '../../features/dashboard/use-has-predictions.ts';
import { Checklist } from '../../features/onboarding/checklist.tsx';
import { loadProgress } from '../../features/onboarding/progress.ts';
import { openPopout } from '../../features/popout/open-popout.ts';
import type { PredictionGridProps } from '../../features/predictions/prediction-grid.tsx';
import { useOpenInChart } from '../../features/predictions/use-open-in-chart.ts';
import { useWatchlistState } from '../../features/watchlist/use-watchlist.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Loader } from '../../ui/status/loader.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './dashboard-page.module.css';

/** Shows four; each click adds two more. */
const FIRST_COUNT = 4;
const PAGE_SIZE = 2;

/** Below the first screen. */
const BELOW = { arrival: 'near' } as const;

const SharedForecast = lazyWidget(
  'This minute’s forecast',
  async () => (await import('../../features/home-forecast/home-forecast.tsx')).HomeForecast,
  styles.forecast,
);
const MinuteFigures = lazyWidget(
  'Usual range and chance',
  async () => (await import('../../features/dashboard/minute-figures.tsx')).MinuteFigures,
  styles.minuteFigures,
);
const RecentPredictions = lazyWidget(
  'Recent predictions',
  async () => recentOf((await import('../../features/predictions/prediction-grid.tsx')).PredictionGrid),
  styles.predictionsPlace,
  BELOW,
);
const WatchPanel = lazyWidget(
  'Watchlist',
  async () => (await import('../../features/watchlist/watch-panel.tsx')).WatchPanel,
  styles.watch,
  BELOW,
);
const MarketPanel = lazyWidget(
  'Market',
  async () => (await import('../../features/market-panel/market-panel.tsx')).MarketPanel,
  styles.market,
  BELOW,
);
const NewsList = lazyWidget(
  'Current News',
  async () => (await import('../../features/news/news-list.tsx')).NewsList,
  styles.news,
  BELOW,
);
const CommunityStats = lazyWidget(
  'Community',
  async () => (await import('../../features/community-stats/community-stats.tsx')).CommunityStats,
  styles.community,
  BELOW,
);

export default function DashboardPage() {
  const { user } = useSession();
  const { entitlement, profile, isLoading, hasFailed } = useEntitlement();
  const { hasPredictions, isSettled } = useHasPredictions(user?.id ?? '');
  const { pairs, failure } = useWatchlistState();
  const isWatchlistSettled = pairs !== null || failure !== null;
  const isReady = useFirstLoad(user?.id ?? '', loadProgress, !isLoading && isSettled && isWatchlistSettled);
  if (!isReady || user === null) return <Loader />;
  // What is unknown counts as there, so that a failure is shown in its place.
  const mayPredict = isLoading || hasFailed || entitlement.isAdmin || hasFeature(entitlement.plan, 'predictions');
  const hasForecast = !mayPredict || hasPredictions === false;
  return (
    <Page className="grid one-column gap-4">
      <div className={styles.head}>
        <div className="row gap-3 min-width-0">
          <OwnAvatar />
          <div>
            <div className="row gap-3">
              <h1>Dashboard</h1>
              {entitlement.isAdmin && (
                <LinkButton to="/admin" size="small">
                  Admin
                </LinkButton>
              )}
            </div>
            <p className="muted break-anywhere">{profile?.full_name ?? user.fullName ?? user.email}</p>
          </div>
        </div>
        <LinkButton to="/kat" variant="primary">
          {mayPredict ? 'Run a prediction' : 'See this minute’s forecast'}
        </LinkButton>
      </div>
      <VerifyEmailBanner />
      <Checklist key={user.id} user={user} onVerify={focusVerification} />
      <div className={hasForecast ? styles.forecastGrid : styles.grid}>
        {hasForecast && (
          <div className={styles.main}>
            <SharedForecast className={styles.forecast} />
            <MinuteFigures className={styles.minuteFigures} />
            {hasPredictions !== false && <RecentPredictions key={user.id} userId={user.id} />}
          </div>
        )}
        <div className={styles.aside}>
          <QuotaPanel
            upgrade={
              <LinkButton to="/account/subscription" size="small">
                See the plans
              </LinkButton>
            }
          />
          <PlanPanel
            action={
              <LinkButton to="/account/subscription" size="small">
                Manage
              </LinkButton>
            }
          />
          <DashboardLinks />
          <Countdown className="quiet" />
        </div>
        {!hasForecast && <RecentPredictions key={user.id} userId={user.id} />}
      </div>
      {hasPredictions === false && <NothingSaved mayPredict={mayPredict} />}
      {pairs?.length === 0 ? <NothingWatched /> : <WatchPanel className={styles.watch} />}
      <MarketPanel className={styles.market} />
      <NewsList className={styles.news} />
      <CommunityStats variant="about" className={styles.community} />
    </Page>
  );
}

function NothingSaved({ mayPredict }: { mayPredict: boolean }) {
  return (
    <EmptyRow
      heading="Recent predictions"
      title="No saved predictions yet"
      text="Run a prediction to save it here"
      action={
        <LinkButton to={mayPredict ? '/kat' : '/account/subscription'} size="small">
          {mayPredict ? 'Run a prediction' : 'See the plans'}
        </LinkButton>
      }
    />
  );
}

function NothingWatched() {
  return (
    <EmptyRow
      heading="Watchlist"
      title="Your watchlist is empty"
      text="Open the chart, choose a symbol and a timeframe, and watch it"
      action={
        <LinkButton to="/kat" size="small">
          Open the chart
        </LinkButton>
      }
    />
  );
}

function recentOf(PredictionGrid: ComponentType<PredictionGridProps>): ComponentType<{ userId: string }> {
  return function RecentPredictionsPanel({ userId }) {
    const alerts = useBells(userId);
    const onOpen = useOpenInChart();
    return (
      <Panel
        heading="Recent predictions"
        className={styles.predictions}
        actions={
          <LinkButton to="/account/predictions#predictions" size="small">
            All predictions
          </LinkButton>
        }
      >
        <div className={styles.place}>
          <PredictionGrid
            userId={userId}
            firstCount={FIRST_COUNT}
            pageSize={PAGE_SIZE}
            alerts={alerts}
            onOpen={onOpen}
            onPopOut={openPopout}
          />
        </div>
      </Panel>
    );
  };
}
