/**
 * A note when the forecast on the chart moves less than trading it would cost, shown once its last candle has arrived.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { describeAssumedCost, describeInsideCost, drawnMoveBp, TRADING_COSTS } from '#domain/forecast/trading-cost.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { type CandleFeed, forecastCandles, realCandles } from '../../../charts/candles/candle-feed.ts';
import { useBookSpread } from '../../../site/book-spread.ts';
import styles from './inside-cost.module.css';

export function InsideCost({ feed, symbol }: { feed: CandleFeed; symbol: MarketSymbol }) {
  const spreadBp = useBookSpread(symbol.bookProductId);
  const words = describeInsideCost(symbol, useDrawnMove(feed), spreadBp);
  return (
    <p
      className={styles.cost}
      role="status"
      title={words === null ? undefined : TRADING_COSTS[symbol.assetClass].source}
    >
      {words !== null && (
        <>
          {words} <span className="muted">{describeAssumedCost(symbol, spreadBp)}</span>
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
