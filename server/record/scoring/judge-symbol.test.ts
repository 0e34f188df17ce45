import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { PastSeries } from '../../market/candles/past-candles.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { aBaselineTable, makeRecords } from '../testing/record-fixtures.ts';
import { judgeSymbol } from './judge-symbol.ts';

const MSFT = symbolNamed('MSFT');

/** Judges a share's records from this slot on, with a venue that has a candle for every minute, traded or not. */
async function judge(iso: string, { texts = (records: string[]) => records } = {}) {
  const firstSlotS = Date.parse(iso) / 1000;
  const records = makeRecords({ syms: ['MSFT'], models: ['lion'], firstSlotS });
  const series: PastSeries = { marketKind: 'live', venueId: 'one', candles: records.candles.get('MSFT') ?? [] };
  const rows = texts(records.texts).map((body, i) => ({
    seq: i + 1,
    sym: 'MSFT',
    timeframe: '1min' as const,
    body,
    venueId: null,
  }));
  return judgeSymbol(rows, { symbol: MSFT, timeframe: '1min' }, 'live', {
    recent: async () => series,
    past: { stored: async () => [] },
    tableOf: () => aBaselineTable(),
    nowS: firstSlotS + 3010,
    log: createLogger('silent'),
  });
}

test('voids a share’s record that crosses the closing bell, and scores one that ends with it', async () => {
  expect(await judge('2025-11-12T20:15:00Z')).toEqual([{ seq: 1, state: 'void', reason: 'market-closed' }]);
  expect(await judge('2025-11-12T20:10:00Z')).toMatchObject([{ seq: 1, state: 'known' }]);
});

test('leaves an unreadable text waiting, and scores the symbol’s other records', async () => {
  const texts = (records: string[]): string[] => ['{"v":2}', ...records];

  expect(await judge('2025-11-12T16:00:00Z', { texts })).toMatchObject([
    { seq: 1, state: 'later' },
    { state: 'known' },
  ]);
});
