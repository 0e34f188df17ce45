/** Draws the paper trades of the shown market. Without one, none of its code loads. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import type { ChartSeries } from '../../../charts/candles/candle-feed.ts';
import type { ChartGuest } from '../../../charts/overlays/price-scale.ts';
import { reportError } from '../../../platform/error-log.ts';
import { type ChartTrades, useChartTrades } from '../../../site/chart-trades.ts';
import type { ChartMarket } from '../run/chart-market.ts';

type Code = typeof import('./trade-marks.ts');

interface MarkedChart {
  guest: ChartGuest | null;
  /** For the chart's text alternative. */
  note: (series: ChartSeries) => string;
}

/** @param isSample  the candles are no market's  @param beside  another guest of the same chart */
export function useTradeMarks(
  { symbol, timeframe }: ChartMarket,
  isSample: boolean,
  beside: ChartGuest | null,
): MarkedChart {
  const { closed, open } = useChartTrades();
  const { sym, decimals } = symbol;
  const own = useMemo<ChartTrades | null>(() => {
    const shown = {
      closed: closed.filter((trade) => trade.sym === sym),
      open: open?.sym === sym ? open : null,
    };
    return isSample || (shown.closed.length === 0 && shown.open === null) ? null : shown;
  }, [closed, open, sym, isSample]);
  const code = useCode(own !== null);
  const marks = useMemo(() => code?.createTradeMarks() ?? null, [code]);
  useEffect(
    () => marks?.follow(own ?? { closed: [], open: null }, barSecondsOf(timeframe), decimals),
    [marks, own, timeframe, decimals],
  );
  const guest = useMemo(
    () => (code === null || marks === null ? beside : code.together(marks.guest, beside)),
    [code, marks, beside],
  );
  const note = useCallback(
    (series: ChartSeries) => (code === null || own === null ? '' : code.describeTrades(own, series, decimals)),
    [code, own, decimals],
  );
  return { guest, note };
}

/** Null until it is needed and has loaded. Without it the chart lacks the marks alone. */
function useCode(isNeeded: boolean): Code | null {
  const [code, setCode] = useState<Code | null>(null);
  useEffect(() => {
    if (!isNeeded || code !== null) return;
    let isOver = false;
    import('./trade-marks.ts').then(
      (loaded) => isOver || setCode(loaded),
      (error: unknown) => reportError(error, { where: 'trades on the chart' }),
    );
    return () => {
      isOver = true;
    };
  }, [isNeeded, code]);
  return code;
}
