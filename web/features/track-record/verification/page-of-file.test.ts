import { beforeAll, expect, test } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { type SealedRecord, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { SEALED_DAY, type SealedDay, sealedDay } from '../../../testing/sealed-day-fixtures.ts';
import { pageOfRecordFile } from './page-of-file.ts';

let day: SealedDay;
beforeAll(async () => {
  day = await sealedDay(2);
});

const SLOT = Date.parse(`${SEALED_DAY}T12:00Z`) / 1000;

function sealedFile(change: Partial<SealedRecord>): string {
  const [model] = MODEL_NAMES;
  const body = { slot: SLOT, issued: SLOT * 1000, sym: 'BTCUSDT.P', model, version: `${model}-1`, ...change };
  const sealed = sealedRecord({ seq: 7, tf: undefined, role: 'serving', market: 'live', ...body }, 'a'.repeat(64));
  return JSON.stringify({
    record: null,
    sealed,
    hash: sealed.hash,
    document: null,
    score: null,
    proof: null,
    keys: [],
  });
}

test('names the page of a revealed forecast', () => {
  expect(pageOfRecordFile(day.recordText(2))).toEqual({ seq: 2, opensS: null });
});

test('tells when the page of a sealed forecast opens: after fifty of its candles', () => {
  expect(pageOfRecordFile(sealedFile({}))).toEqual({ seq: 7, opensS: SLOT + 50 * 60 });
  expect(pageOfRecordFile(sealedFile({ tf: '15min' }))).toEqual({ seq: 7, opensS: SLOT + 50 * 15 * 60 });
});

test.each([
  ['a sealed chance', () => sealedFile({ window: 15 })],
  ['a changed text', () => day.recordText(2).replace('97120.4', '97121.4 ')],
  ['a day', () => day.dayText],
  ['nothing', () => ''],
])('names no page of %s', (_what, text) => {
  expect(pageOfRecordFile(text())).toBeNull();
});
