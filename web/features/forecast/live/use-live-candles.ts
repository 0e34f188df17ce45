import { useEffect } from 'react';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { whenIdle } from '../../../ui/browser/when-due.ts';
import type { ChartMarket } from '../run/chart-market.ts';

/** Keeps the chart at its market, with the usual range. @param isReal  false for samples, which have no market */
export function useLiveCandles(feed: CandleFeed, { symbol, timeframe }: ChartMarket, isReal: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one symbol may come as several objects
  useEffect(() => {
    if (!isReal) return;
    let stop = () => {};
    const cancel = whenIdle(() => {
      import('./follow-market.ts').then(
        ({ followMarket }) => {
          if (!isLeft) stop = followMarket(feed, { symbol, timeframe });
        },
        // Without its code the chart stays as it is, as it does without the market.
        () => undefined,
      );
    });
    let isLeft = false;
    return () => {
      isLeft = true;
      cancel();
      stop();
    };
  }, [feed, symbol.sym, timeframe, isReal]);
}
