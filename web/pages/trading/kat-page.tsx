import { type ComponentType, lazy, Suspense, useRef, useState } from 'react';
import { useBells } from '../../features/alerts/rules/use-bells.ts';
import { type ChoosePanel, usePanelChoice } from '../../features/forecast/controls/panel-choice.ts';
import type { ForecastPanelProps } from '../../features/forecast/panel/forecast-panel.tsx';
import { openPopout } from '../../features/popout/open-popout.ts';
import { useOpenInChart } from '../../features/predictions/use-open-in-chart.ts';
import { useSession } from '../../session/session.ts';
import { useMedia } from '../../ui/browser/use-media.ts';
import { useIsDue } from '../../ui/browser/when-due.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { lazyWidget, WidgetBoundary } from '../../ui/widget.tsx';
import styles from './kat-page.module.css';

const PAGE_SIZE = 2;

/** Starts loading with this module; the page draws its frame first. */
const panelCode = import('../../features/forecast/panel/forecast-panel.tsx');
const LazyPanel = lazy(async () => ({ default: (await panelCode).ForecastPanel }));
let loadedPanel: typeof LazyPanel | ComponentType<ForecastPanelProps> = LazyPanel;
/** A pre-rendered page hydrates together with its panel, in one step. */
export const ready: Promise<void> = panelCode.then(
  ({ ForecastPanel }) => {
    loadedPanel = ForecastPanel;
  },
  // The panel's place shows the error, once the page is hydrated.
  () => undefined,
);

const MarketTicker = lazyWidget(
  'Market Ticker',
  async () => (await import('../../features/market-ticker/market-ticker.tsx')).MarketTicker,
  styles.ticker,
);
const OrderBook = lazyWidget(
  'Order Book',
  async () => (await import('../../features/order-book/order-book.tsx')).OrderBook,
  styles.book,
);
const PaperTrading = lazyWidget(
  'Paper Trading',
  async () => (await import('../../features/paper-trading/paper-trading.tsx')).PaperTrading,
  styles.paper,
);
const TradingSessions = lazyWidget(
  'Trading Sessions',
  async () => (await import('../../features/market-clock/trading-sessions.tsx')).TradingSessions,
  styles.sessions,
);
const MarketHolidays = lazyWidget(
  'Market Holidays & Announcements',
  async () => (await import('../../features/market-clock/market-holidays.tsx')).MarketHolidays,
  styles.holidays,
);
const PriceChart = lazyWidget(
  'BTC-USD Weekly',
  async () => (await import('../../features/price-charts/price-chart.tsx')).PriceChart,
  styles.years,
);
const Sentiment = lazyWidget(
  'Community Sentiment',
  async () => (await import('../../features/sentiment/sentiment.tsx')).Sentiment,
  styles.sentiment,
);
const NewsList = lazyWidget(
  'Current News',
  async () => (await import('../../features/news/news-list.tsx')).NewsList,
  styles.news,
);

/** Below the fold, and only for signed-in users. */
const PredictionGrid = lazy(async () => ({
  default: (await import('../../features/predictions/prediction-grid.tsx')).PredictionGrid,
}));

export default function KatPage() {
  const { user } = useSession();
  const [ForecastPanel] = useState(() => loadedPanel);
  const { choose, ...choice } = usePanelChoice();
  const { symbol } = choice;
  const alertsOf = useBells(user?.id);
  const onOpen = useOpenInChart();
  const pick: ChoosePanel = (change) => {
    choose(change);
    // Restored forecasts set the symbol too.
    if (user !== null && change.model !== undefined && change.symbol === undefined) noteModel(user.id);
  };
  const [savedCount, setSavedCount] = useState(0);
  // DOM order follows visual order, for the keyboard: the ticker is above the panels on wide screens, else below them.
  const isNarrow = useMedia('(max-width: 760px)');
  const ticker = <MarketTicker key="ticker" className={styles.ticker} />;
  const tour = <TourPlace key="tour" userId={user?.id ?? null} />;
  const workspace = (
    <div key="workspace" className={styles.workspace}>
      <WidgetBoundary name="Prediction" place={styles.chart}>
        <Suspense fallback={<ForecastPlaces />}>
          <ForecastPanel
            choice={choice}
            choose={pick}
            onPopOut={openPopout}
            alertsOf={alertsOf}
            onSaved={() => setSavedCount((count) => count + 1)}
          />
        </Suspense>
      </WidgetBoundary>
      <OrderBook symbol={symbol} className={styles.book} />
      <PaperTrading symbol={symbol} className={styles.paper} />
    </div>
  );
  return (
    <Page className={styles.page}>
      <h1 className={styles.heading}>AI Prediction</h1>
      {isNarrow ? [tour, workspace, ticker] : [ticker, tour, workspace]}
      <div className={styles.row}>
        <TradingSessions className={styles.sessions} />
        <MarketHolidays className={styles.holidays} />
      </div>
      <div className={styles.row}>
        <PriceChart symbol={symbol} className={styles.years} />
        <Sentiment className={styles.sentiment} />
      </div>
      <NewsList className={styles.news} />
      <Panel heading="Your Predictions">
        {user === null ? (
          <EmptyState
            title="Sign in to keep your predictions"
            text="Each prediction you run is saved here with its 150 real and 50 forecast candles."
            action={<LinkButton to="/auth/signin?next=%2Fkat">Sign In</LinkButton>}
          />
        ) : (
          <Suspense fallback={<Skeleton />}>
            <PredictionGrid
              key={user.id}
              userId={user.id}
              pageSize={PAGE_SIZE}
              savedCount={savedCount}
              alertsOf={alertsOf}
              onOpen={onOpen}
              emptyAction={<Button onClick={focusPage}>Go to the chart</Button>}
              onPopOut={openPopout}
            />
          </Suspense>
        )}
      </Panel>
    </Page>
  );
}

/** The panel's final shape while its code loads: chart and figures. */
function ForecastPlaces() {
  return (
    <>
      <Skeleton className={styles.chart} />
      <Skeleton className={styles.range} />
    </>
  );
}

/** Without its code the page has no tour, and works. */
const ChartTour = lazy(async (): Promise<{ default: ComponentType<{ userId: string | null }> }> => {
  const code = await import('../../features/onboarding/chart-tour.tsx').catch(() => null);
  return { default: code?.ChartTour ?? (() => null) };
});

/** Beside the page's heading, and as high as it from the start. */
function TourPlace({ userId }: { userId: string | null }) {
  const place = useRef<HTMLDivElement>(null);
  const isDue = useIsDue(place);
  return (
    <div ref={place} className={styles.tour}>
      {isDue && (
        <Suspense fallback={null}>
          <ChartTour userId={userId} />
        </Suspense>
      )}
    </div>
  );
}

/** A step of a new account's checklist, which delays nothing. */
function noteModel(userId: string): void {
  import('../../features/onboarding/progress.ts').then(
    ({ addMarks }) => addMarks(userId, ['model-chosen']),
    () => undefined,
  );
}

/** The chart is at the page's top. */
function focusPage(): void {
  window.scrollTo({ top: 0 });
  document.getElementById('main')?.focus({ preventScroll: true });
}
