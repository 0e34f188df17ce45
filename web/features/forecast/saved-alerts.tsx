/** What stands with the prediction on the chart while it runs: once it is saved, until what came of it can be known. */
import { type ReactNode, useMemo } from 'react';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { useNow } from '../../ui/use-now.ts';

/** @param title  what the prediction is called */
export type AlertsOf = (row: PredictionRow, title: string) => ReactNode;

const NOW_MS = 10_000;

export interface SavedAlertsProps {
  /** Saved last. */
  row: PredictionRow;
  /** Opening second of the last real candle on the chart; null where no forecast is. */
  joinS: number | null;
  alertsOf: AlertsOf;
}

export function SavedAlerts({ row, joinS, alertsOf }: SavedAlertsProps) {
  const nowMs = useNow(NOW_MS);
  const savedS = useMemo(() => savedJoinS(readSavedCandles(row.data).candles), [row]);
  // Another forecast may stand there: of another tab's run, or one taken up after a reload.
  const isOnChart = savedS !== null && savedS === joinS;
  if (!isOnChart || nowMs >= (savedS + (HORIZON_BARS + 1) * MINUTE_S) * 1000) return null;
  return alertsOf(row, `${row.cryptocurrency} ${row.timeframe} ${modelOfBackendName(row.model)?.label ?? row.model}`);
}
