import { expect, test } from 'vitest';
import { filterHistory, type HistoryRow, NO_FILTER, totalsOf } from './prediction-history.ts';

const aRow = (change: Partial<HistoryRow> = {}): HistoryRow => ({
  id: 'a',
  market: 'BTC',
  model: 'kat1',
  timeframe: '1min',
  madeAt: '2026-11-30T10:00:00Z',
  state: 'known',
  inside80: 40,
  inside95: 48,
  pathErrorBp: 12,
  lastCloseErrorBp: 11,
  ...change,
});
const WAITING = aRow({ state: 'waiting', inside80: null, inside95: null, pathErrorBp: null, lastCloseErrorBp: null });

test('adds closes of predictions that have bands and an outcome, and counts paths closer than the last close', () => {
  const withoutBands = aRow({ inside80: null, inside95: null, pathErrorBp: 9 });

  expect(totalsOf([aRow(), aRow({ inside80: 20, inside95: 30 }), withoutBands, WAITING])).toEqual({
    judged: 2,
    inside80: 0.6,
    inside95: 0.78,
    known: 3,
    closerPaths: 1,
  });
});

test('claims nothing without an outcome', () => {
  expect(totalsOf([WAITING])).toEqual({ judged: 0, inside80: null, inside95: null, known: 0, closerPaths: 0 });
});

test('counts a path as far off as the last close as not closer', () => {
  expect(totalsOf([aRow({ pathErrorBp: 11 })]).closerPaths).toBe(0);
});

test('keeps the rows that match every chosen field', () => {
  const rows = [aRow(), aRow({ market: 'ETH' }), aRow({ model: 'kat2_4' }), WAITING];

  expect(filterHistory(rows, NO_FILTER)).toHaveLength(4);
  expect(filterHistory(rows, { ...NO_FILTER, market: 'BTC', model: 'kat1' })).toEqual([rows[0], WAITING]);
  expect(filterHistory(rows, { ...NO_FILTER, state: 'known', timeframe: '5min' })).toEqual([]);
});
