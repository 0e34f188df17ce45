/** The alert bell of the prediction on the chart, from saving until its outcome can be known. */
import { type ReactNode, useMemo } from 'react';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { PredictionAlerts } from '../../../site/prediction-alerts.ts';
import { useNow } from '../../../ui/browser/use-now.ts';

export interface PanelAlerts extends PredictionAlerts {
  /** The alert bell for the opening of a closed market. */
  atOpening(symbol: MarketSymbol): ReactNode;
}

const NOW_MS = 10_000;

export interface SavedAlertsProps {
  /** The last saved prediction; null when the chart's is not saved. */
  row: PredictionRow | null;
  /** Opening second of the last real candle on the chart; null without a forecast. */
  joinS: number | null;
  /** Of the candles on the chart. */
  timeframe: Timeframe;
  alerts: PanelAlerts | undefined;
}

export function SavedAlerts({ row, joinS, timeframe, alerts }: SavedAlertsProps) {
  const nowMs = useNow(NOW_MS);
  const savedS = useMemo(() => (row === null ? null : savedJoinS(readSavedCandles(row.data).candles)), [row]);
  // The chart may show another forecast: from another tab's run, or one restored after a reload.
  const isOnChart = savedS !== null && savedS === joinS && row?.timeframe === timeframe;
  const isOver = savedS === null || nowMs >= (savedS + (HORIZON_BARS + 1) * barSecondsOf(timeframe)) * 1000;
  // Reserves its space among the tools.
  if (row === null || alerts === undefined || !isOnChart || isOver) return <span />;
  const model = modelOfBackendName(row.model)?.label ?? row.model;
  return alerts.atPrediction(row, `${row.cryptocurrency} ${row.timeframe} ${model}`, 'icon');
}
