import { expect, test } from 'vitest';
import { AT, addRecord, PIT_BINS, SUMS_WIDTH } from '#domain/record/figures/block-sums.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { aBaselineTable, makeRecords, outcomeOf } from '../testing/record-fixtures.ts';

test('counts unchanged prices in both middle bins, and others in their own', () => {
  const records = makeRecords({ slots: 10, syms: ['BTCUSDT.P'], models: ['lion'] });
  const sums = new Float64Array(SUMS_WIDTH);
  for (const body of records.bodies) {
    const score = scoreRecord(body, outcomeOf(records, body), aBaselineTable());
    addRecord(sums, body, { ...score, pit: [5000, 5000, 50, 9950, 5001] });
  }

  expect([...sums.slice(AT.pit, AT.pit + PIT_BINS)]).toEqual([10, 0, 0, 0, 10, 20, 0, 0, 0, 10]);
});
