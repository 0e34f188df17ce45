/**
 * The frame of the panel, one for demo and prediction: when one replaces the other, nothing moves, what is open stays
 * open, and the control that the user is pressing stays the same element.
 */
import Maximize2 from 'lucide-react/icons/maximize-2';
import RotateCw from 'lucide-react/icons/rotate-cw';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  Suspense,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { candlesName, timeframeName } from '#domain/market/timeframe-text.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { CandleChart } from '../../../charts/candles/candle-chart.tsx';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import type { ChartGuest } from '../../../charts/overlays/price-scale.ts';
import { reportError } from '../../../platform/error-log.ts';
import { IconButton } from '../../../ui/forms/button.tsx';
import { ListPicker, listCode, type Openness, Picker } from '../../../ui/forms/picker.tsx';
import type { ListFrame } from '../../../ui/forms/picker-list.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { lazyPart, WidgetBoundary } from '../../../ui/widget.tsx';
import { CandleSpanToggle, useShownBars } from '../controls/candle-span.tsx';
import { FullScreenButton, useFullScreen } from '../controls/full-screen.tsx';
import toggles from '../controls/ghost-toggle.module.css';
import { GhostToggle, useGhostSetting } from '../controls/ghost-toggle.tsx';
import { modelOptions } from '../controls/model-choice.ts';
import type { StarOf, SymbolListProps } from '../controls/symbol-list.tsx';
import type { ExportedForecast } from '../export/use-exported.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { useTradeMarks } from '../trades/use-trade-marks.ts';
import { AnswerStrip } from './answer-strip.tsx';
import styles from './panel-frame.module.css';
import { useShownSeries } from './use-shown-series.ts';

const TIMEFRAME_OPTIONS = TIMEFRAMES.map((value) => ({ value, label: value.replace('in', '') }));

export type PanelList = 'symbol' | 'model';

export interface OpenState {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** What is open. */
export interface PanelLists {
  open: PanelList | null;
  /** Null until the watchlist is known. */
  starOf: StarOf | null;
  setOpen: Dispatch<SetStateAction<PanelList | null>>;
  chances: OpenState;
  exporting: OpenState;
}

export interface PanelFrameProps extends ChartMarket {
  feed: CandleFeed;
  onSymbol: (symbol: MarketSymbol) => void;
  onTimeframe: (timeframe: Timeframe) => void;
  model: ModelName;
  onModel: (model: ModelName) => void;
  entitlement: Entitlement;
  figures: readonly ModelFigures[] | null;
  onModelsOpen?: (() => void) | undefined;
  /** The plan and its locked models are not known yet: the list of models opens once they are. */
  isPlanLoading?: boolean;
  lists: PanelLists;
  /** While true, a requested model list or export stays closed; it opens afterwards. */
  isHeld?: boolean;
  isDemo: boolean;
  /** The candles are samples, which no market had. */
  isSample?: boolean;
  onRefresh: () => void;
  onPopOut: () => void;
  /** While the chart shows a saved prediction. */
  backToLive?: ReactNode;
  /** The candles are too old to show the present market: they stay, dimmed. */
  isStale?: boolean;
  overlay?: ReactNode;
  caption: ReactNode;
  /** First of the tools; its space is reserved for signed-in users from the start. */
  alerts?: ReactNode;
  /** Beside the pickers, in their row on phones. */
  tool?: ReactNode;
  action: ReactNode;
  readout: ReactNode;
  exported: ExportedForecast;
}

const ShowFrame = createContext<Dispatch<SetStateAction<PanelFrameProps | null>>>(() => undefined);

interface PanelPlaceProps {
  /** Until the panel inside shows its own. */
  first: PanelFrameProps;
  /** A panel, which calls `useFrame`. */
  children: ReactNode;
}

export function PanelPlace({ first, children }: PanelPlaceProps) {
  const [shown, setShown] = useState<PanelFrameProps | null>(null);
  return (
    <>
      <PanelFrame {...(shown ?? first)} />
      <ShowFrame value={setShown}>{children}</ShowFrame>
    </>
  );
}

/** Shows the frame in the place around the panel. */
export function useFrame(frame: PanelFrameProps): void {
  const show = useContext(ShowFrame);
  useLayoutEffect(() => show(frame));
  useLayoutEffect(() => () => show(null), [show]);
}

/** Both load when their buttons are clicked. */
const Chances = lazyPart(async () => (await import('../chances/chances.tsx')).Chances);
const ExportDialog = lazyPart(async () => (await import('../export/export-dialog.tsx')).ExportDialog);

function PanelFrame(props: PanelFrameProps) {
  const { feed, symbol, timeframe, model, entitlement, isDemo, onRefresh, onPopOut, overlay, caption, action } = props;
  const { isGhostShown } = useGhostSetting();
  const { joinS } = useShownSeries(feed);
  const shownBars = useShownBars();
  const chart = useRef<HTMLDivElement>(null);
  const [guest, setGuest] = useState<ChartGuest | null>(null);
  const marks = useTradeMarks({ symbol, timeframe }, props.isSample ?? false, guest);
  const { chances, exporting } = props.lists;
  const fullScreen = useFullScreen();
  return (
    <div className={styles.workbench}>
      <Panel
        className={classNames(styles.panel, fullScreen.isFull && styles.full)}
        heading={`${symbol.label} ${isDemo ? 'Demo' : 'Prediction'}`}
        beside={<Badge>{timeframe}</Badge>}
        isFlush
        actions={
          <>
            {props.backToLive && <span className={styles.back}>{props.backToLive}</span>}
            <SymbolPicker
              symbol={symbol}
              onSymbol={props.onSymbol}
              starOf={props.lists.starOf}
              openness={opennessOf(props.lists, 'symbol')}
            />
            <Segmented
              label={`Timeframe: ${timeframeName(timeframe)}`}
              value={timeframe}
              options={TIMEFRAME_OPTIONS}
              onChange={props.onTimeframe}
            />
            <Picker
              label="Model"
              value={model}
              options={modelOptions(entitlement, symbol, timeframe, props.figures)}
              {...(props.onModelsOpen && { onOpen: props.onModelsOpen })}
              onChange={props.onModel}
              onLocked={goToSubscription}
              openness={opennessOf(props.lists, 'model', props.isHeld || props.isPlanLoading)}
              align="end"
              className={styles.model}
            />
            {props.tool}
            <span className={styles.tools} data-keep-clear>
              <span className={styles.alerts}>{props.alerts}</span>
              <IconButton label="Refresh" icon={<RotateCw size={16} aria-hidden="true" />} onClick={onRefresh} />
              <IconButton label="Pop-out" icon={<Maximize2 size={16} aria-hidden="true" />} onClick={onPopOut} />
              <FullScreenButton {...fullScreen} />
            </span>
          </>
        }
      >
        <div ref={chart} className={styles.chart}>
          <div
            className={classNames('full-height', props.isStale && 'old-figures')}
            data-stale={props.isStale || undefined}
          >
            <CandleChart
              feed={feed}
              name={`${symbol.label}${isDemo ? ' demo' : ''}, ${candlesName(timeframe)}`}
              decimals={symbol.decimals}
              horizonBars={HORIZON_BARS}
              isGhostShown={isGhostShown}
              shownBars={shownBars}
              isOutcomeCandles
              answer={<AnswerStrip feed={feed} symbol={symbol} timeframe={timeframe} />}
              guest={marks.guest}
              note={marks.note}
              onError={(error) => reportError(error, { where: 'candle chart' })}
            />
          </div>
          {overlay}
        </div>
        <div className={styles.caption} data-keep-clear>
          {caption}
          <CandleSpanToggle timeframe={timeframe} />
          <span className="row wrap gap-2">
            <GhostToggle hasForecast={joinS !== null} />
            <button
              type="button"
              name="chances"
              className={classNames(toggles.toggle, chances.isOpen && toggles.on)}
              aria-expanded={chances.isOpen}
              onClick={() => {
                // They are below the panel.
                fullScreen.setFull(false);
                chances.setOpen(!chances.isOpen);
              }}
            >
              Chances
            </button>
            <button type="button" name="export" className={toggles.toggle} onClick={() => exporting.setOpen(true)}>
              Export
            </button>
          </span>
        </div>
        <div className={styles.action} data-keep-clear>
          {action}
          <p className={styles.warning}>
            {RESEARCH_ONLY}{' '}
            <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
              Charts by TradingView
            </a>
          </p>
        </div>
      </Panel>
      {chances.isOpen && (
        <WidgetBoundary name="Chances" place={styles.side}>
          <Suspense fallback={<Skeleton className={styles.side} />}>
            <Chances
              key={symbol.label + timeframe}
              feed={feed}
              symbol={symbol}
              timeframe={timeframe}
              model={model}
              chart={chart}
              onGuest={setGuest}
              onClose={() => chances.setOpen(false)}
              className={styles.side}
            />
          </Suspense>
        </WidgetBoundary>
      )}
      {exporting.isOpen && !props.isHeld && (
        <WidgetBoundary name="Export">
          <Suspense>
            <ExportDialog {...props} shownBars={shownBars} onClose={() => exporting.setOpen(false)} />
          </Suspense>
        </WidgetBoundary>
      )}
      {props.readout}
    </div>
  );
}

function opennessOf({ open, setOpen }: PanelLists, list: PanelList, isHeld = false): Openness {
  return {
    isExpanded: open === list && !isHeld,
    // Closing one list must not close another opened meanwhile.
    onExpandedChange: (isExpanded) => setOpen((now) => (isExpanded ? list : now === list ? null : now)),
  };
}

interface SymbolPickerProps extends SymbolListProps {
  openness: Openness;
}

export const SYMBOL_LIST = listCode<ListFrame & SymbolListProps>(
  async () => (await import('../controls/symbol-list.tsx')).SymbolList,
);

function SymbolPicker({ openness, ...own }: SymbolPickerProps) {
  return (
    <ListPicker
      label="Symbol"
      text={own.symbol.label}
      code={SYMBOL_LIST}
      own={own}
      openness={openness}
      isWide
      className={styles.symbol}
    />
  );
}

/** A full page load, so that the subscription page starts from fresh data. */
export function goToSubscription(): void {
  window.location.assign('/account/subscription');
}
