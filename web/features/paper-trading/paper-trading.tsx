/** Paper trading: one trade at a time at the live price, closed by hand or after 60 seconds. */
import { Suspense, useMemo, useRef, useState } from 'react';
import { roundTripBp } from '#domain/forecast/ranges/round-trip.ts';
import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { describeDelay } from '#domain/format/relative-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useChartTrades, useReportedTrades } from '../../site/chart-trades.ts';
import { type ShownFeedState, useFeedState } from '../../site/market-feeds.ts';
import { useOwnBook } from '../../site/own-book.ts';
import { useMarketSource } from '../../site/site-config.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Loader } from '../../ui/status/loader.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { lazyPart, WidgetBoundary } from '../../ui/widget.tsx';
import type { OpenTrade } from './paper-trade.ts';
import styles from './paper-trading.module.css';
import { paperDecimals, TRACE_HEIGHT, TRACE_WIDTH } from './price-figures.ts';
import { describeAsOf, freshnessOf } from './price-messages.ts';
import { useIsBookDue } from './stored/use-book-due.ts';
import { TradeButtons } from './trade-buttons.tsx';
import { type PriceState, useLiveFigures } from './use-live-figures.ts';
import { paperEngine, usePaperTrades } from './use-paper-trades.ts';

const TradeBook = lazyPart(async () => (await import('./stored/trade-book.tsx')).TradeBook);

interface PaperTradingProps {
  /** Symbol of the next trade; an open one keeps its own. */
  symbol: MarketSymbol;
  className?: string | undefined;
}

export function PaperTrading({ symbol: chosen, className }: PaperTradingProps) {
  const { open, last } = usePaperTrades();
  useOpenTradeOnChart(open);
  const count = useChartTrades().closed.length;
  const { zone } = useTimeZone();
  const [isListShown, setListShown] = useState(false);
  const isBookDue = useIsBookDue(open !== null || last !== null || isListShown);
  const root = useRef<HTMLDivElement>(null);
  const symbol = useOwnBook(chosen);
  const shown = open?.symbol ?? symbol;
  const price = useLiveFigures(root, shown, paperEngine());
  useFeedState('price', feedStateOf(price));
  const market = useMarketSource();
  const { tone, text } = freshnessOf(price, shown, market?.kind ?? null, Date.now() / 1000);
  const old = price.phase === 'live' ? undefined : 'old-figures';
  return (
    <Panel
      heading="Paper Trading"
      className={classNames('min-width-0', className)}
      beside={<SourceBadge kind={market?.kind ?? null} />}
      actions={<span className="muted size-12">Paper trading - no real money</span>}
    >
      <div ref={root} className={styles.body} data-stale={price.phase !== 'live'}>
        <div className={styles.quote}>
          <span className="muted">{`${shown.label} ${price.phase === 'closed' ? 'last' : 'live'} price`}</span>
          <span className={styles.freshness}>
            <Badge tone={tone}>{text}</Badge>
          </span>
          <span className={classNames('figures', styles.price, old)} data-figure="price" translate="no">
            –
          </span>
          <span className={classNames(styles.change, old)}>
            <span className="figures" data-figure="change" translate="no" /> <span className="muted">24 h</span>
          </span>
          <div className={styles.status}>
            {[price.source ?? market?.bookSource, describeAsOf(price, Date.now(), zone)].filter(Boolean).join(' · ')}
            {/* If the page has an order book, that reports it. */}
            <p role="status">
              {price.isRetrying && symbol.bookProductId === null && 'Live price stream error — retrying'}
            </p>
          </div>
        </div>
        <svg
          className={styles.trace}
          viewBox={`0 0 ${TRACE_WIDTH} ${TRACE_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <line data-figure="entry" x1="0" x2={TRACE_WIDTH} visibility="hidden" />
          <polyline data-figure="trace" points="" />
        </svg>
        <Position open={open} delayed={describeDelay(price.delayS)} />
        <Costs open={open} symbol={shown} />
        <TradeButtons open={open} symbol={symbol} engine={paperEngine()} />
        <div className={styles.book}>
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isListShown}
            className={styles.toggle}
            onClick={() => setListShown(!isListShown)}
          >
            {`${isListShown ? 'Hide' : 'Show'} trades (${count})`}
          </Button>
          {isBookDue && (
            <WidgetBoundary name="Trades" isHeaded>
              <Suspense fallback={isListShown && <Loader text="Loading trades…" />}>
                <TradeBook isListShown={isListShown} onStart={() => focusFirstButton(root.current)} />
              </Suspense>
            </WidgetBoundary>
          )}
        </div>
      </div>
    </Panel>
  );
}

function feedStateOf({ phase, isRetrying }: PriceState): ShownFeedState {
  if (phase === 'live') return 'current';
  return phase === 'stale' || (phase === 'none' && isRetrying) ? 'failing' : null;
}

function focusFirstButton(body: Element | null): void {
  body?.querySelector<HTMLElement>('fieldset button')?.focus();
}

function Position({ open, delayed }: { open: OpenTrade | null; delayed: string | null }) {
  if (open === null) {
    return (
      <div className={styles.position}>
        <p className="muted">
          <span>One trade at a time, of size 1. It closes automatically after 60 s.</span>
          {delayed && <span>{` Prices are ${delayed}.`}</span>}
        </p>
      </div>
    );
  }
  return (
    <dl className={styles.position} data-keep-clear>
      <div>
        <dt>{`${open.side === 'long' ? '↗ Long' : '↘ Short'} from`}</dt>
        <dd className="figures">{formatPrice(open.entryPrice, paperDecimals(open.symbol))}</dd>
      </div>
      <div>
        <dt>P&amp;L</dt>
        <dd className="figures" data-figure="result" translate="no">
          –
        </dd>
      </div>
      <div>
        <dt>Closes in</dt>
        <dd>
          <span className="figures" data-figure="countdown" role="timer" translate="no" />
        </dd>
      </div>
      {delayed !== null && (
        <div className={styles.delayed}>
          <dt>Prices</dt>
          <dd>{delayed}</dd>
        </div>
      )}
    </dl>
  );
}

function useOpenTradeOnChart(open: OpenTrade | null): void {
  useReportedTrades(
    'open',
    useMemo(() => open && { ...open, sym: open.symbol.sym, running: paperEngine().running }, [open]),
  );
}

/** What a trade costs, and what the open one leaves after that. One line either way. */
function Costs({ open, symbol }: { open: OpenTrade | null; symbol: MarketSymbol }) {
  const costs = plainPercent(roundTripBp(symbol) / 100, 2);
  if (open === null) return <p className="muted size-12">{`Opening and closing costs about ${costs}.`}</p>;
  return (
    <p className="muted size-12" data-keep-clear>
      {`After costs of ${costs}: `}
      <span className={classNames('figures', styles.net)} data-figure="net" translate="no">
        –
      </span>
    </p>
  );
}
