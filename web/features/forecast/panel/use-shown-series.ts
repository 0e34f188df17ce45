/** The series as of the last full redraw: for text and tables, which need not follow each candle. */
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { CandleFeed, ChartSeries } from '../../../charts/candles/candle-feed.ts';

export function useShownSeries(feed: CandleFeed): ChartSeries {
  const shown = useRef(feed.series());
  const subscribe = useCallback(
    (onChange: () => void) => {
      shown.current = feed.series();
      return feed.listen({
        onReset: (series) => {
          shown.current = series;
          onChange();
        },
        onAppend: () => undefined,
      });
    },
    [feed],
  );
  const current = () => shown.current;
  return useSyncExternalStore(subscribe, current, current);
}
