import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { type PanelAlerts, SavedAlerts } from './saved-alerts.tsx';

const JOIN_S = 1_790_000_040;
const ROW: PredictionRow = {
  id: 'p1',
  user_id: 'u1',
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat2_4',
  created_at: '2026-09-21T14:00:00Z',
  data: Array.from({ length: 200 }, (_, i) => ({
    time: JOIN_S + (i - 149) * MINUTE_S,
    open: 10,
    high: 12,
    low: 9,
    close: 11,
  })),
};

function show(joinS: number | null, minutesLater: number, timeframe: Timeframe = '1min', row = ROW) {
  vi.spyOn(Date, 'now').mockReturnValue((JOIN_S + minutesLater * MINUTE_S) * 1000);
  const bell = ({ id }: { id: string }, title: string) => <p>{`${id}: ${title}`}</p>;
  const alerts: PanelAlerts = { atPrediction: bell, atOpening: () => null };
  render(<SavedAlerts row={row} joinS={joinS} timeframe={timeframe} alerts={alerts} />);
}

test('offers alerts of the saved prediction on the chart while its minutes run', () => {
  show(JOIN_S, 50);

  expect(screen.getByText('p1: BTC 1min Lion (Kat 2.4)')).toBeDefined();
});

test.each([
  ['its last minute is over', JOIN_S, 51],
  ['another forecast is on the chart', JOIN_S + MINUTE_S, 5],
  ['no forecast is on the chart', null, 5],
])('offers none once %s', (_what, joinS, minutesLater) => {
  show(joinS, minutesLater);

  expect(screen.queryByText(/p1/)).toBeNull();
});

test('offers them for as long as 50 longer candles run', () => {
  show(JOIN_S, 254, '5min', { ...ROW, timeframe: '5min' });

  expect(screen.getByText('p1: BTC 5min Lion (Kat 2.4)')).toBeDefined();
});

test('offers none beside candles of another length that begin in the same second', () => {
  show(JOIN_S, 5, '5min');

  expect(screen.queryByText(/p1/)).toBeNull();
});
