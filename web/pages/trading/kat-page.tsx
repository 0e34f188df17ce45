import Star from 'lucide-react/icons/star';
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
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
import { useIsKnown } from '../../ui/browser/prerendered-store.ts';
import { storedText } from '../../ui/browser/stored-value.ts';
import { useMedia } from '../../ui/browser/use-media.ts';
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
import { lazyPart, lazyWidget, WidgetBoundary } from '../../ui/widget.tsx';
import styles from './kat-page.module.css';

const PAGE_SIZE = 2;
/** The same width as in kat-page.module.css: two columns. */
const WIDE = '(min-width: 1101px)';
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

/** Below the first screen of a laptop. */
const BELOW = { arrival: 'near' } as const;

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
const TradingSessions = lazyWidget(
  'Trading Sessions',
  async () => (await import('../../features/market-clock/market-clock.ts')).TradingSessions,
  styles.sessions,
  BELOW,
);
const MarketHolidays = lazyWidget(
  'Market Holidays & Announcements',
  async () => (await import('../../features/market-clock/market-clock.ts')).MarketHolidays,
  styles.holidays,
  BELOW,
);
const PriceChart = lazyWidget(
  'BTC-USD Weekly',
  async () => (await import('../../features/price-charts/price-chart.tsx')).PriceChart,
  styles.years,
  BELOW,
);
const Sentiment = lazyWidget(
  'Community Sentiment',
  async () => (await import('../../features/sentiment/sentiment.tsx')).Sentiment,
  styles.sentiment,
  BELOW,
);
const NewsList = lazyWidget(
  'Current News',
  async () => (await import('../../features/news/news-list.tsx')).NewsList,
  styles.news,
  BELOW,
);

/** Only for signed-in users. */
const PredictionGrid = lazyWidget(
  'your predictions',
  async () => (await import('../../features/predictions/prediction-grid.tsx')).PredictionGrid,
  styles.saved,
  { ...BELOW, isHeaded: true },
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
  const alertsOf = useBells(user?.id);
  const openInChart = useOpenInChart();
  const pick: ChoosePanel = (change) => {
    choose(change);
    // Restored forecasts set the symbol too.
    if (user !== null && change.model !== undefined && change.symbol === undefined) noteModel(user.id);
  };
  const [savedCount, setSavedCount] = useState(0);
  const [outage, setOutage] = useState<Outage | null>(null);
  const isWide = useMedia(WIDE);
  const list = useListOpen(isWide);
  const [hasChances, setChances] = useState(false);
  const tabs = useSectionTabs(TABS);
  const { isPhone } = tabs;
  // DOM order follows visual order, for the keyboard: on wide screens the ticker is above the panels.
  const ticker = <MarketTicker className={styles.ticker} />;
  // A visitor's chart stays at one minute.
  const timeframe = user === null ? DEFAULT_TIMEFRAME : choice.timeframe;
  const tour = <TourPlace userId={user?.id ?? null} timeframe={timeframe} />;
  const sentiment = <Sentiment className={styles.sentiment} />;
  // Beside the chart there is room for one.
  const isListShown = list.isOpen && !(isWide && hasChances);
  const watchlist = isListShown && (
    <WidgetBoundary name="Watchlist" place={styles.book}>
      <Suspense fallback={isWide && <Skeleton className={styles.book} />}>
        <WatchSide
          shown={{ sym: symbol.sym, timeframe }}
          isBeside={isWide}
          onClose={() => {
            list.setOpen(false);
            document.getElementById(WATCH_BUTTON)?.focus();
          }}
          className={styles.book}
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
          <div id={WORKSPACE} className={styles.workspace}>
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
                        aria-expanded={isListShown}
                        icon={<Star size={16} aria-hidden="true" />}
                        onClick={() => {
                          if (isWide) setChances(false);
                          list.setOpen(!isListShown);
                        }}
                      />
                    }
                    Stars={WatchStars}
                    alertsOf={alertsOf}
                    chances={{ isOpen: hasChances, setOpen: setChances }}
                    onSaved={() => setSavedCount((count) => count + 1)}
                  />
                </Suspense>
              </WidgetBoundary>
            </TabSection>
            <TabList
              label="Beside the chart"
              tabs={SIDE_TABS}
              shown={hasChances ? 'chances' : isListShown ? 'watch' : 'book'}
              onShow={(shown) => {
                setChances(shown === 'chances');
                list.setOpen(shown === 'watch');
              }}
              tabIdOf={(side) => `side-${side}`}
              panelIdOf={() => WORKSPACE}
              className={styles.sideTabs}
            />
            <TabSection id="book" className={styles.part}>
              {(isWide && (watchlist || hasChances)) || <OrderBook symbol={symbol} className={styles.book} />}
            </TabSection>
            <TabSection id="paper" className={styles.part}>
              <PaperTrading symbol={symbol} className={styles.paper} />
            </TabSection>
          </div>
          <TabSection id="market" className={styles.column}>
            {isPhone && ticker}
            <div className={styles.row}>
              <TradingSessions className={styles.sessions} />
              <MarketHolidays className={styles.holidays} />
            </div>
            <div className={styles.row}>
              <PriceChart symbol={symbol} className={styles.years} />
              {!isPhone && sentiment}
            </div>
          </TabSection>
          {/* Needs no market. */}
          <Quiet value={outage === 'server'}>
            <TabSection id="news" className={styles.column}>
              <NewsList className={styles.news} />
              {isPhone && sentiment}
            </TabSection>
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
                    alertsOf={alertsOf}
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
/** Paper trading is always shown, below. */
const SIDE_TABS = [
  { id: 'book', label: 'Book' },
  { id: 'chances', label: 'Chances' },
  { id: 'watch', label: 'Watch' },
] as const;
const WATCH_BUTTON = 'watchlist-button';
const storedOpen = storedText('localStorage', 'kat-watchlist-open');

/** Beside the chart the watchlist opens as it was left in this browser; a dialog does not open on its own. */
function useListOpen(isBeside: boolean): { isOpen: boolean; setOpen: (isOpen: boolean) => void } {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isKnown = useIsKnown();
  return {
    isOpen: chosen ?? (isKnown && isBeside && storedOpen.read() !== null),
    setOpen(isOpen) {
      setChosen(isOpen);
      if (isBeside) storedOpen.write(isOpen ? 'yes' : null);
    },
  };
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

/** Without its code the page works: it has no tour, for example. */
function lazyExtra<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => () => null) }));
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
