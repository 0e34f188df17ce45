import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { TRADING_COSTS } from '#domain/forecast/ranges/round-trip.ts';
import { describeAssumedCost, describeInsideCost, drawnMoveBp } from '#domain/forecast/trading-cost.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { type CandleFeed, forecastCandles, judgedCandles, realCandles } from '../../../charts/candles/candle-feed.ts';
import { useQuota } from '../../../session/quota.ts';
import { useBookSpread } from '../../../site/book-spread.ts';
import { requestForecast } from '../../../site/forecast-request.ts';
import { useFeedState, useMarketReturn } from '../../../site/market-feeds.ts';
import { useModelFigures } from '../../../site/model-figures.ts';
import type { PopOut } from '../../../site/pop-out.ts';
import { useSiteConfig } from '../../../site/site-config.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { BackToLive } from '../controls/back-to-live.tsx';
import { defaultModel } from '../controls/model-choice.ts';
import type { ChoosePanel, PanelChoice } from '../controls/panel-choice.ts';
import {
  AmplifyField,
  buttonRule,
  PredictionButton,
  UnlockModels,
  UnlockPlace,
  whileClosed,
} from '../controls/prediction-button.tsx';
import { useOpening } from '../controls/use-opening.ts';
import { useRunRequest } from '../controls/use-run-request.ts';
import { useLiveCandles } from '../live/use-live-candles.ts';
import { isRunning, isSaved } from '../run/forecast-state.ts';
import { useForecast } from '../run/use-forecast.ts';
import { useOpened } from '../run/use-opened.ts';
import { useShared } from '../run/use-shared.ts';
import { LiveCaption, OneMinuteBadge } from './caption.tsx';
import { ChartOverlay } from './chart-overlay.tsx';
import { ForecastReadout } from './forecast-readout.tsx';
import styles from './live-panel.module.css';
import { goToSubscription, type PanelLists, useFrame } from './panel-frame.tsx';
import { type PanelAlerts, SavedAlerts } from './saved-alerts.tsx';
import { useAutoRetry } from './use-auto-retry.ts';
import { useShownSeries } from './use-shown-series.ts';

interface LivePanelProps {
  feed: CandleFeed;
  userId: string;
  isPlanLoading: boolean;
  entitlement: Entitlement;
  choice: PanelChoice;
  choose: ChoosePanel;
  onPopOut: PopOut;
  tool: ReactNode;
  lists: PanelLists;
  alerts?: PanelAlerts | undefined;
  onSaved: (row: PredictionRow) => void;
}

export function LivePanel(props: LivePanelProps) {
  const { feed, userId, entitlement, choice, choose, onPopOut, tool, lists, alerts, onSaved } = props;
  const { symbol, timeframe, model: chosen } = choice;
  const market = { symbol, timeframe };
  const isLonger = timeframe !== DEFAULT_TIMEFRAME;
  const settings = useSiteConfig();
  const statuses = settings.data?.models ?? null;
  const figures = useModelFigures().data ?? null;
  // The default model depends on both.
  const isPlanLoading = props.isPlanLoading || settings.isPending;
  const { isAdmin } = entitlement;
  const [ampPercent, setAmpPercent] = useState(DEFAULT_AMPLIFY_PERCENT);
  const [saved, setSaved] = useState<PredictionRow | null>(null);
  const model = chosen !== null && entitlement.models.includes(chosen) ? chosen : defaultModel(entitlement, statuses);
  const left = useQuota(isPlanLoading || isAdmin ? null : userId);
  const { quota, error: quotaError, refetch } = left;
  const quotaFailure = quotaError?.message;
  useEffect(() => {
    if (quotaFailure !== undefined) toast.error(quotaFailure);
  }, [quotaFailure]);
  const { savedId } = choice;
  const forecast = useForecast(feed, {
    ...choice,
    userId,
    model,
    mayHaveUnsaved: !isPlanLoading && !isAdmin,
    onEnded: (row) => {
      refetch();
      setSaved(row);
      if (row !== null) onSaved(row);
    },
    onRestored: choose,
    isOpened: savedId !== null,
  });
  const { machine, state } = forecast;
  useOpened(forecast, {
    ...choice,
    onOtherMarket: (other) => choose({ ...other, ...(savedId !== null && { savedId }) }),
    onNotOpened: () => choose({}),
  });
  const isFree = !isPlanLoading && !isAdmin && entitlement.plan === 'free';
  const isShared = isFree && !isLonger && savedId === null && symbol.sym === PUBLIC_FORECAST.sym;
  const playShared = useShared(forecast, isShared);
  useLiveCandles(feed, market, true);
  const opening = useOpening(symbol, !state.isMarketOpen);
  const rule = whileClosed(
    buttonRule({ isSignedIn: true, isPlanLoading, entitlement, quota, model, isRunning: isRunning(state) }),
    opening,
  );
  const { candles, joinS } = useShownSeries(feed);
  const isEmpty = candles.length === 0;
  const hasHistoryFailed = state.phase === 'idle' && state.historyFailure !== null;
  const isFailing = hasHistoryFailed || state.source?.isStale === true;
  useFeedState('candles', isFailing ? 'failing' : isEmpty ? null : 'current');
  useMarketReturn(() => {
    if (!isFailing || savedId !== null || isRunning(state)) return;
    forecast.showMarket(market);
    playShared();
  });

  const retry = () => void machine.show(market);
  const isLoading = state.phase === 'loading-history';
  const retryS = useAutoRetry(hasHistoryFailed ? 'failed' : isLoading ? 'trying' : 'fine', retry);

  const predict = () => {
    if (model === null) return;
    void machine.predict({ userId, ...market, model, ampPercent, isAdmin });
    if (savedId !== null) choose({});
  };
  // While the first candles load, nothing runs yet, and the button waits too.
  const isWaiting = isPlanLoading || isLoading || (!isAdmin && quota === null && quotaError === null);
  const isRequested = useRunRequest({
    rule,
    isRunning: isRunning(state),
    isWaiting,
    onPredict: predict,
    onUpgrade: goToSubscription,
  });
  const refresh = () => {
    refetch();
    if (savedId !== null) choose({});
    // A refresh must not discard a running forecast.
    else if (!isRunning(state)) {
      forecast.refresh();
      playShared();
    }
  };

  useFrame({
    feed,
    ...market,
    onSymbol: (picked) => choose({ symbol: picked }),
    onTimeframe: (picked) => choose({ timeframe: picked }),
    model: model ?? 'bobcat',
    onModel: (picked) => choose({ model: picked }),
    entitlement,
    figures,
    isPlanLoading,
    lists,
    tool,
    isDemo: false,
    onRefresh: refresh,
    onPopOut() {
      const series = feed.series();
      onPopOut(`${symbol.label} Prediction`, series.candles, judgedCandles(series), series.band);
    },
    backToLive: state.origin === 'opened' && <BackToLive onClick={() => choose({})} />,
    isStale: state.source?.isStale ?? false,
    overlay: (
      <ChartOverlay
        state={state}
        isEmpty={isEmpty}
        onResume={() => void machine.resume()}
        onRetry={retry}
        retryS={retryS}
        onCancel={() => machine.close('cancelled')}
        onOneMinute={isLonger ? () => choose({ timeframe: DEFAULT_TIMEFRAME }) : undefined}
        tooFew={
          isLonger && state.phase === 'idle' && candles.length < MIN_LOOKBACK_BARS
            ? `Only ${candles.length} candles so far.`
            : null
        }
      />
    ),
    caption: (
      <LiveCaption feed={feed} {...market} state={state} figures={figures} isOneMinuteOnly={isFree && isLonger} />
    ),
    alerts: <SavedAlerts row={isSaved(state) ? saved : null} joinS={joinS} timeframe={timeframe} alerts={alerts} />,
    action: (
      <>
        {isFree && isLonger && <OneMinuteBadge isByButton />}
        <PredictionButton
          rule={rule}
          isBusy={isRequested || (isRunning(state) && !isLoading)}
          onPredict={predict}
          onUpgrade={goToSubscription}
          onEarly={isWaiting ? requestForecast : undefined}
        />
        {opening !== null && <OpeningAlert alerts={alerts} symbol={symbol} />}
        {isFree && <UnlockModels onClick={goToSubscription} />}
        {isPlanLoading && <UnlockPlace />}
        {quotaError !== null && <QuotaRetry isRetrying={left.isRefetching} onRetry={refetch} />}
        {isAdmin && <AmplifyField percent={ampPercent} onChange={setAmpPercent} />}
      </>
    ),
    exported: { ...state, isSaved: isSaved(state), userId, saved, savedId },
    readout: (
      <ForecastReadout
        feed={feed}
        {...market}
        model={state.start?.model ?? model ?? 'bobcat'}
        statuses={statuses}
        figures={figures}
        remark={<InsideCost feed={feed} symbol={symbol} />}
      />
    ),
  });
  return null;
}

function OpeningAlert({ alerts, symbol }: { alerts: PanelAlerts | undefined; symbol: MarketSymbol }) {
  return alerts && <span className={styles.opening}>{alerts.atOpening(symbol)}</span>;
}

/** Beside a button that can't show what is left. */
function QuotaRetry({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <span className="inline-row gap-2 size-13">
      We couldn’t load your quota. We’ll keep trying.
      <Button size="small" isBusy={isRetrying} onClick={onRetry}>
        Retry
      </Button>
    </span>
  );
}

export function InsideCost({ feed, symbol }: { feed: CandleFeed; symbol: MarketSymbol }) {
  const spreadBp = useBookSpread(symbol.bookProductId);
  const text = describeInsideCost(symbol, useDrawnMove(feed), spreadBp);
  return (
    <p className={styles.cost} title={text === null ? undefined : TRADING_COSTS[symbol.assetClass].source}>
      {text !== null && (
        <>
          <span>{text}</span> <span className="muted">{describeAssumedCost(symbol, spreadBp)}</span>
        </>
      )}
    </p>
  );
}

/** Null until all candles are drawn, and for an amplified forecast, whose move is not the model's. */
function useDrawnMove(feed: CandleFeed): number | null {
  const listen = useCallback((onChange: () => void) => feed.listen({ onReset: onChange, onAppend: onChange }), [feed]);
  const read = useCallback(() => {
    const series = feed.series();
    if ((series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT) !== DEFAULT_AMPLIFY_PERCENT) return null;
    const lastClose = realCandles(series).at(-1)?.close;
    return drawnMoveBp(lastClose, forecastCandles(series)[HORIZON_BARS - 1]?.close);
  }, [feed]);
  return useSyncExternalStore(listen, read, read);
}
