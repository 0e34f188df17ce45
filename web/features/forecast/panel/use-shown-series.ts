/** The series as of the last full redraw or closed bar: for texts, which need not follow each move. */
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { CandleFeed, ChartSeries } from '../../../charts/candles/candle-feed.ts';

export function useShownSeries(feed: CandleFeed): ChartSeries {
  const shown = useRef(feed.series());
  const subscribe = useCallback(
    (onChange: () => void) => {
      shown.current = feed.series();
      const take = (series: ChartSeries) => {
        shown.current = series;
        onChange();
      };
      return feed.listen({ onReset: take, onAppend: () => undefined, onClose: take });
    },
    [feed],
  );
  const current = () => shown.current;
  return useSyncExternalStore(subscribe, current, current);
}
