/** What stands with the prediction on the chart while it runs: once it is saved, until what came of it can be known. */
import { type ReactNode, useMemo } from 'react';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { useNow } from '../../../ui/browser/use-now.ts';

/** @param title  what the prediction is called. @param look  an icon among others, or a word beside one */
export type AlertsOf = (row: PredictionRow, title: string, look: 'icon' | 'word') => ReactNode;

const NOW_MS = 10_000;

export interface SavedAlertsProps {
  /** Saved last; null where the picture is not saved. */
  row: PredictionRow | null;
  /** Opening second of the last real candle on the chart; null where no forecast is. */
  joinS: number | null;
  alertsOf: AlertsOf | undefined;
}

export function SavedAlerts({ row, joinS, alertsOf }: SavedAlertsProps) {
  const nowMs = useNow(NOW_MS);
  const savedS = useMemo(() => (row === null ? null : savedJoinS(readSavedCandles(row.data).candles)), [row]);
  // Another forecast may stand there: of another tab's run, or one taken up after a reload.
  const isOnChart = savedS !== null && savedS === joinS;
  const isOver = savedS === null || nowMs >= (savedS + (HORIZON_BARS + 1) * MINUTE_S) * 1000;
  // Its place among the tools is kept.
  if (row === null || alertsOf === undefined || !isOnChart || isOver) return <span />;
  const model = modelOfBackendName(row.model)?.label ?? row.model;
  return alertsOf(row, `${row.cryptocurrency} ${row.timeframe} ${model}`, 'icon');
}
