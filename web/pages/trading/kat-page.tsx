import Star from 'lucide-react/icons/star';
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { useBells } from '../../features/alerts/rules/use-bells.ts';
import { type ChoosePanel, usePanelChoice } from '../../features/forecast/controls/panel-choice.ts';
import type { ForecastPanelProps } from '../../features/forecast/panel/forecast-panel.tsx';
import type { Outage } from '../../features/market-outage/market-outage-api.ts';
import type { OutageNoticeProps } from '../../features/market-outage/outage-notice.tsx';
import type { ChartTourProps } from '../../features/onboarding/chart-tour.tsx';
import { openPopout } from '../../features/popout/open-popout.ts';
import { useOpenInChart } from '../../features/predictions/use-open-in-chart.ts';
import { useSession } from '../../session/session.ts';
import { useFeedStates } from '../../site/market-feeds.ts';
import { useIsDue } from '../../ui/browser/when-due.ts';
import { Button, IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { SectionTabs, TabSection, useSectionTabs } from '../../ui/layout/section-tabs.tsx';
import { TabList } from '../../ui/layout/tab-list.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { Quiet } from '../../ui/status/quiet.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { lazyExtra, lazyPart, lazyWidget, WidgetBoundary } from '../../ui/widget.tsx';
import { KatMarketPart, KatNewsPart } from './kat-market-part.tsx';
import styles from './kat-page.module.css';
import { useSideColumn } from './use-side-column.ts';

const PAGE_SIZE = 2;
const OUTAGE_CODE_MS = 15_000;

/** Starts loading with this module; the page draws its frame first. */
let panelCode: Promise<ComponentType<ForecastPanelProps>> | null = loadPanel();
const LazyPanel = lazyPart(async () => {
  const code = panelCode ?? loadPanel();
  panelCode = null;
  return code;
});
let loadedPanel: typeof LazyPanel = LazyPanel;
/** A pre-rendered page hydrates together with its panel, in one step. */
export const ready: Promise<unknown> = Promise.all([
  // Browsers are slow to format dates the first time: in a separate task, that prolongs no step of the hydration.
  new Promise((resolve) => setTimeout(resolve)).then(() => new Intl.DateTimeFormat().resolvedOptions()),
  panelCode.then(
    (ForecastPanel) => {
      loadedPanel = ForecastPanel;
    },
    // The panel's place shows the error, once the page is hydrated.
    () => undefined,
  ),
]);

async function loadPanel(): Promise<ComponentType<ForecastPanelProps>> {
  return (await import('../../features/forecast/panel/forecast-panel.tsx')).ForecastPanel;
}

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
/** Loads when its button is clicked. */
const WatchSide = lazyPart(async () => (await import('../../features/watchlist/watch-side.tsx')).WatchSide);
const PaperTrading = lazyWidget(
  'Paper Trading',
  async () => (await import('../../features/paper-trading/paper-trading.tsx')).PaperTrading,
  styles.paper,
);
/** Only for signed-in users. */
const PredictionGrid = lazyWidget(
  'your predictions',
  async () => (await import('../../features/predictions/prediction-grid.tsx')).PredictionGrid,
  styles.saved,
  { arrival: 'near', isHeaded: true },
);

const TABS = [
  { id: 'forecast', label: 'Forecast' },
  { id: 'book', label: 'Book' },
  { id: 'paper', label: 'Paper' },
  { id: 'market', label: 'Market' },
  { id: 'news', label: 'News' },
  { id: 'saved', label: 'Saved' },
] as const;

export default function KatPage() {
  const { user } = useSession();
  const [ForecastPanel] = useState(() => loadedPanel);
  const { choose, ...choice } = usePanelChoice();
  const { symbol } = choice;
  const alerts = useBells(user?.id);
  const openInChart = useOpenInChart();
  const pick: ChoosePanel = (change) => {
    choose(change);
    // Restored forecasts set the symbol too.
    if (user !== null && change.model !== undefined && change.symbol === undefined) noteModel(user.id);
  };
  const [savedCount, setSavedCount] = useState(0);
  const [outage, setOutage] = useState<Outage | null>(null);
  const side = useSideColumn();
  const { isWide } = side;
  const tabs = useSectionTabs(TABS);
  const { isPhone } = tabs;
  // DOM order follows visual order, for the keyboard: on wide screens the ticker is above the panels.
  const ticker = <MarketTicker className={styles.ticker} />;
  // A visitor's chart stays at one minute.
  const timeframe = user === null ? DEFAULT_TIMEFRAME : choice.timeframe;
  const tour = <TourPlace userId={user?.id ?? null} timeframe={timeframe} />;
  const watchlist = side.watchlist.isOpen && (
    <WidgetBoundary name="Watchlist" place={styles.beside}>
      <Suspense fallback={isWide && <Skeleton className={styles.beside} />}>
        <WatchSide
          shown={{ sym: symbol.sym, timeframe }}
          isBeside={isWide}
          onClose={() => {
            side.watchlist.setOpen(false);
            document.getElementById(WATCH_BUTTON)?.focus();
          }}
          className={styles.beside}
        />
      </Suspense>
    </WidgetBoundary>
  );
  const showChart = () => {
    if (isPhone) tabs.show('forecast');
    focusPage();
  };
  const openSaved = (row: PredictionRow) => {
    openInChart(row);
    // The tab with the card is about to be hidden.
    if (isPhone) focusPage();
  };
  return (
    <Page className={styles.page}>
      <div className={classNames(styles.top, outage !== null && styles.out)}>
        <h1 className={styles.heading}>AI Prediction</h1>
        <OutagePlace onChange={setOutage} />
      </div>
      {isPhone && tour}
      <Quiet value={outage !== null}>
        <SectionTabs label="Parts of this page" state={tabs}>
          {!isPhone && ticker}
          {!isPhone && tour}
          <div id={WORKSPACE} className={styles.workspace} data-beside={side.shown}>
            <TabSection id="forecast" className={styles.part}>
              <WidgetBoundary name="Prediction" place={styles.chart}>
                <Suspense fallback={<ForecastPlaces />}>
                  <ForecastPanel
                    choice={choice}
                    choose={pick}
                    onPopOut={openPopout}
                    tool={
                      <IconButton
                        id={WATCH_BUTTON}
                        label="Watchlist"
                        aria-expanded={side.watchlist.isOpen}
                        icon={<Star size={16} aria-hidden="true" />}
                        onClick={() => side.watchlist.setOpen(!side.watchlist.isOpen)}
                      />
                    }
                    Stars={WatchStars}
                    alerts={alerts}
                    chances={{
                      isOpen: side.shown === 'chances',
                      setOpen: (isOpen) => side.toggle('chances', isOpen),
                    }}
                    onSaved={() => setSavedCount((count) => count + 1)}
                  />
                </Suspense>
              </WidgetBoundary>
            </TabSection>
            <TabList
              label="Beside the chart"
              tabs={side.tabs}
              shown={side.shown}
              onShow={side.show}
              tabIdOf={(id) => `side-${id}`}
              panelIdOf={(id) => (id === 'chances' ? WORKSPACE : id === 'watch' ? 'book' : id)}
              className={styles.sideTabs}
            />
            <TabSection id="book" className={styles.part}>
              {isWide && watchlist}
              {(!isWide || side.hasBook) && <OrderBook symbol={symbol} className={styles.book} />}
            </TabSection>
            <TabSection id="paper" className={styles.part}>
              <PaperTrading symbol={symbol} className={styles.paper} />
            </TabSection>
          </div>
          <KatMarketPart symbol={symbol} isPhone={isPhone} ticker={ticker} />
          {/* Needs no market. */}
          <Quiet value={outage === 'server'}>
            <KatNewsPart isPhone={isPhone} />
            <TabSection id="saved">
              <Panel heading="Your Predictions">
                {user === null ? (
                  <EmptyState
                    title="Sign in to keep your predictions"
                    text="Each prediction you run is saved here with its 150 real and 50 forecast candles."
                    action={<LinkButton to="/auth/signin?next=%2Fkat">Sign In</LinkButton>}
                  />
                ) : (
                  <PredictionGrid
                    key={user.id}
                    userId={user.id}
                    pageSize={PAGE_SIZE}
                    savedCount={savedCount}
                    alerts={alerts}
                    onOpen={openSaved}
                    emptyAction={<Button onClick={showChart}>Go to the chart</Button>}
                    onPopOut={openPopout}
                  />
                )}
              </Panel>
            </TabSection>
          </Quiet>
        </SectionTabs>
      </Quiet>
      {!isWide && watchlist}
    </Page>
  );
}

const WORKSPACE = 'workspace';
const WATCH_BUTTON = 'watchlist-button';

/** The panel's final shape while its code loads: chart and figures. */
function ForecastPlaces() {
  return (
    <>
      <Skeleton className={styles.chart} />
      <Skeleton className={styles.range} />
    </>
  );
}

const ChartTour = lazyExtra(async () => (await import('../../features/onboarding/chart-tour.tsx')).ChartTour);
/** Loads when the list of symbols opens. */
const WatchStars = lazyExtra(async () => (await import('../../features/watchlist/watch-stars.tsx')).WatchStars);

/** Beside the page's heading, and as high as it from the start. */
function TourPlace(props: ChartTourProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDue = useIsDue(place);
  return (
    <div ref={place} className={styles.tour}>
      {isDue && (
        <Suspense fallback={null}>
          <ChartTour {...props} />
        </Suspense>
      )}
    </div>
  );
}

/** Without its code each part of the page reports its own failure. */
const OutageNotice = lazyExtra(
  async () => (await import('../../features/market-outage/outage-notice.tsx')).OutageNotice,
);

/** Its code loads when something fails, or a while after the page: then a lost server can't take it along. */
function OutagePlace(props: OutageNoticeProps) {
  const hasFailed = Object.values(useFeedStates()).includes('failing');
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setDue, OUTAGE_CODE_MS, true);
    return () => clearTimeout(timer);
  }, []);
  if (hasFailed && !isDue) setDue(true);
  return (
    isDue && (
      <Suspense fallback={null}>
        <OutageNotice {...props} />
      </Suspense>
    )
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
