/** What visitors watch, played once: this minute's shared forecast of Bitcoin, or samples, labeled as such. */
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { candlesName } from '#domain/market/timeframe-text.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { isServerBusy } from '../../../platform/calls/call-error.ts';
import { reportError } from '../../../platform/error-log.ts';
import { type ShownFeedState, useFeedState, useMarketReturn } from '../../../site/market-feeds.ts';
import { useModelFigures } from '../../../site/model-figures.ts';
import type { PopOut } from '../../../site/pop-out.ts';
import { LinkButton } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { lazyPart, WidgetBoundary } from '../../../ui/widget.tsx';
import type { ChoosePanel, PanelChoice } from '../controls/panel-choice.ts';
import { buttonRule, PredictionButton, UnlockPlace } from '../controls/prediction-button.tsx';
import { useLiveCandles } from '../live/use-live-candles.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { reveal } from '../run/reveal.ts';
import { Caption, OneMinuteBadge, SharedCaption } from './caption.tsx';
import { BusyNotice, LoadingCandles } from './chart-overlay.tsx';
import { loadDemo } from './demo-forecast.ts';
import { ForecastReadout } from './forecast-readout.tsx';
import styles from './panel-frame.module.css';
import { goToSubscription, type PanelFrameProps, type PanelLists, useFrame } from './panel-frame.tsx';
import { useAutoRetry } from './use-auto-retry.ts';
import { useShownSeries } from './use-shown-series.ts';

/** Loads for a market that closes. */
const ClosedMarket = lazyPart(async () => (await import('../controls/closed-market.tsx')).ClosedMarket);

interface DemoPanelProps {
  feed: CandleFeed;
  choice: PanelChoice;
  choose: ChoosePanel;
  onPopOut: PopOut;
  tool: ReactNode;
  lists: PanelLists;
}

const RULE = buttonRule({
  isSignedIn: false,
  isPlanLoading: false,
  entitlement: NO_ENTITLEMENT,
  quota: { remainingDaily: 0, remainingMonthly: 0 },
  model: null,
  isRunning: false,
});

interface WaitingPanelProps extends DemoPanelProps {
  /** A user is signed in, and the live panel's code is loading. */
  isSignedIn: boolean;
}

/** While the session, or the panel of its user, is not known yet: nothing plays. */
export function waitingFrame({ isSignedIn, ...props }: WaitingPanelProps): PanelFrameProps {
  const { feed, choice, choose, onPopOut, tool, lists } = props;
  const { symbol, timeframe } = choice;
  return {
    feed,
    symbol,
    timeframe,
    onSymbol: (picked) => choose({ symbol: picked }),
    onTimeframe: (picked) => choose({ timeframe: picked }),
    model: 'bobcat',
    onModel: () => undefined,
    entitlement: NO_ENTITLEMENT,
    figures: null,
    lists,
    tool,
    // The content of the model list and of an export depends on the user.
    isHeld: true,
    // A chart that is still empty is no demo yet.
    isDemo: false,
    overlay: <LoadingCandles />,
    onRefresh: () => undefined,
    onPopOut: () => onPopOut(`${symbol.label} Demo`, feed.series().candles),
    caption: <WaitingCaption symbol={symbol} timeframe={timeframe} />,
    action: demoAction({ isLimited: false, isWaiting: true, isSignedIn }),
    exported: { start: null, marketKind: null },
    readout: <ForecastReadout feed={feed} symbol={symbol} timeframe={timeframe} model={null} figures={null} />,
  };
}

export function DemoPanel(props: DemoPanelProps) {
  const { feed, choice } = props;
  // Visitors see candles of a minute, whatever they chose for after the sign-in.
  const market: ChartMarket = { symbol: choice.symbol, timeframe: DEFAULT_TIMEFRAME };
  const { symbol } = market;
  const isLimited = choice.timeframe !== market.timeframe;
  const note = isLimited && <OneMinuteBadge />;
  const [round, setRound] = useState(0);
  const [hasOpened, setOpened] = useState(false);
  const isEmpty = useShownSeries(feed).candles.length === 0;
  const { shared, feedState, isBusy } = useDemo(feed, symbol, round);
  const again = () => setRound((n) => n + 1);
  const retryS = useAutoRetry(isBusy ? 'failed' : isEmpty ? 'trying' : 'fine', again);
  const isSample = shared === null && !isEmpty;
  useFeedState('candles', feedState);
  useMarketReturn(() => {
    if (feedState === 'failing') setRound((n) => n + 1);
  });
  const figures = useModelFigures(hasOpened || shared !== null).data ?? null;
  useLiveCandles(feed, market, shared !== null);

  useFrame({
    ...waitingFrame({ ...props, isSignedIn: false }),
    ...market,
    figures,
    onModelsOpen: () => setOpened(true),
    isHeld: false,
    isDemo: !isEmpty,
    isSample,
    overlay: isBusy ? <BusyNotice retryS={retryS} onRetry={again} /> : isEmpty && <LoadingCandles />,
    onRefresh: again,
    caption: isSample ? (
      <SampleCaption symbol={symbol}>{note}</SampleCaption>
    ) : shared === null ? (
      <WaitingCaption {...market}>{note}</WaitingCaption>
    ) : (
      <SharedCaption feed={feed} symbol={symbol} shared={shared}>
        {note}
      </SharedCaption>
    ),
    action: demoAction({ isLimited, isWaiting: false, isSignedIn: false, symbol }),
    exported: { start: shared, marketKind: shared?.marketKind ?? null },
    readout: (
      <ForecastReadout feed={feed} {...market} model={shared?.model ?? null} isSample={isSample} figures={figures} />
    ),
  });
  return null;
}

/** Nothing that the chart may turn out not to show. */
function WaitingCaption({ symbol, timeframe, children }: ChartMarket & { children?: ReactNode }) {
  return <Caption facts={[symbol.label, candlesName(timeframe)]}>{children}</Caption>;
}

function SampleCaption({ symbol, children }: { symbol: MarketSymbol; children?: ReactNode }) {
  return (
    <Caption facts={[symbol.label, 'sample candles', 'one plausible path; 80% band']}>
      <Badge tone="warning">sample data</Badge>
      {children}
    </Caption>
  );
}

interface DemoAction {
  /** Absent while nothing is known of its market. */
  symbol?: MarketSymbol;
  isLimited: boolean;
  isWaiting: boolean;
  isSignedIn: boolean;
}

/** Not a component: the Prediction button stays the same element when the live panel's replaces it. */
function demoAction({ isLimited, isWaiting, isSignedIn, symbol }: DemoAction): ReactNode {
  return (
    <>
      {isLimited && <OneMinuteBadge isByButton />}
      <PredictionButton rule={RULE} onPredict={() => undefined} onUpgrade={goToSubscription} />
      {isWaiting && <UnlockPlace />}
      {!isSignedIn && (
        <LinkButton
          to="/auth/signin?next=%2Fkat"
          variant="primary"
          data-keep-clear
          className={classNames(isWaiting && styles.visitorsOnly)}
        >
          Sign in to predict
        </LinkButton>
      )}
      {symbol !== undefined && symbol.hours !== 'always' && (
        <WidgetBoundary name="Opening">
          <Suspense fallback={null}>
            <ClosedMarket symbol={symbol} />
          </Suspense>
        </WidgetBoundary>
      )}
    </>
  );
}

interface ShownDemo {
  /** The shared forecast that is played; null for samples, and before anything is. */
  shared: LatestForecast | null;
  feedState: ShownFeedState;
  /** The server refused for now; nothing is drawn. */
  isBusy: boolean;
}

function useDemo(feed: CandleFeed, symbol: MarketSymbol, round: number): ShownDemo {
  const [shared, setShared] = useState<LatestForecast | null>(null);
  const [feedState, setFeedState] = useState<ShownFeedState>(null);
  const [isBusy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` plays the newest again
  useEffect(() => {
    const abort = new AbortController();
    const play = async () => {
      const demo = await loadDemo(symbol, abort.signal);
      // In a separate task: checking the answer took one already.
      await new Promise((resolve) => setTimeout(resolve, 0));
      abort.signal.throwIfAborted();
      setShared(demo.shared);
      setFeedState(demo.hasMarket ? 'current' : 'failing');
      abort.signal.addEventListener('abort', reveal(feed, demo.series));
    };
    setBusy(false);
    play().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      if (isServerBusy(error)) setBusy(true);
      else reportError(error, { where: 'demo' });
    });
    return () => abort.abort();
  }, [feed, symbol, round]);
  return { shared: shared?.sym === symbol.sym ? shared : null, feedState, isBusy };
}
