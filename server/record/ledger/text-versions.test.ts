/** Texts of one minute stay as they were before there were longer candles, and longer ones name their timeframe. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barSecondsOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import { recompute } from '#domain/record/figures/recompute.ts';
import {
  LONGER_TIMEFRAMES,
  NO_HASH,
  type RecordBody,
  readRecordText,
  recordText,
  slotSecondsOf,
  timeframeOfRecord,
} from '#domain/record/ledger/ledger.ts';
import { sealedRecord } from '#domain/record/ledger/record-files.ts';
import { publishDays } from '../testing/day-fixtures.ts';
import { type GeneratedRecords, makeRecords, type RecordPlan } from '../testing/record-fixtures.ts';
import { faultsOf, KEY, requireRecord, verify } from '../testing/verification-fixtures.ts';

/** Written by the release before: a signed day, and the same file while its last four records were sealed. */
const OLD_DAY = fileOf('day-of-version-1.ndjson');
const OLD_SEALED = fileOf('sealed-day-of-version-1.ndjson');
const OLD_KEY = 'c233eb1faf16fa3bb425a5e283a9aa5fdbf7ffafc6f1f3ff326150bb2df7686d';
const OLD_TEXTS = OLD_DAY.trimEnd()
  .split('\n')
  .slice(1)
  .map((line): string => JSON.parse(line).record);

function fileOf(name: string): string {
  return readFileSync(new URL(`../testing/${name}`, import.meta.url), 'utf8');
}

/** A day on which all timeframes are issued: one of 5 minutes and of 15 at the whole hour. */
function mixedRecords(plan: RecordPlan = {}): GeneratedRecords {
  const parts: GeneratedRecords[] = [];
  for (const timeframe of TIMEFRAMES) {
    const last = parts.at(-1);
    const after =
      last === undefined ? null : { seq: last.bodies.at(-1)?.seq ?? 0, hash: last.hashes.at(-1) ?? NO_HASH };
    parts.push(makeRecords({ syms: ['BTCUSDT.P'], ...plan, timeframe, after }));
  }
  return {
    bodies: parts.flatMap(({ bodies }) => bodies),
    texts: parts.flatMap(({ texts }) => texts),
    hashes: parts.flatMap(({ hashes }) => hashes),
    candles: new Map(),
  };
}

async function mixedDay(plan: RecordPlan = {}) {
  const records = mixedRecords(plan);
  const [day] = await publishDays(records, [KEY]);
  if (day === undefined) throw new Error('one day was expected');
  return { records, day };
}

test('verifies a day that was signed before there were longer candles, and its sealed copy', async () => {
  const found = await verify(OLD_DAY, { keys: [OLD_KEY], against: OLD_SEALED });

  expect([found.isSound, faultsOf(found)]).toEqual([true, []]);
  expect(found.counts).toMatchObject({ records: 12, signatures: 1, hours: 1, committed: 12 });
  const sealed = await verify(OLD_SEALED, { keys: [OLD_KEY] });
  expect([sealed.isSound, sealed.counts.sealed]).toEqual([true, 4]);
});

test('writes texts and sealed lines of one minute to the byte as before', () => {
  const { texts } = makeRecords({
    slots: 3,
    syms: ['BTCUSDT.P', 'ETHUSDT.P'],
    models: ['bobcat', 'lion'],
    seed: 'version 1',
  });

  expect(texts).toEqual(OLD_TEXTS);
  expect(OLD_TEXTS.map((text) => recordText(requireRecord(text)))).toEqual(OLD_TEXTS);
  for (const line of OLD_SEALED.trimEnd().split('\n').slice(9)) {
    const { sealed } = JSON.parse(line);
    const body = requireRecord(OLD_TEXTS[sealed.seq - 1] ?? '');
    expect(JSON.stringify({ sealed: sealedRecord(body, sealed.hash), score: null })).toBe(line);
  }
});

test.each(LONGER_TIMEFRAMES)('writes a text of %s as version 2 with its timeframe', (timeframe) => {
  const { bodies, texts } = makeRecords({ timeframe });
  const [body] = bodies;
  const [text = ''] = texts;

  expect(text.startsWith(`{"v":2,"seq":1,"slot":${body?.slot},"tf":"${timeframe}","issued":`)).toBe(true);
  expect(readRecordText(text)).toEqual(body);
});

test('reads no text whose version, timeframe and slot disagree', () => {
  const [minute] = makeRecords().bodies;
  const [quarter] = makeRecords({ timeframe: '15min' }).bodies;
  if (minute === undefined || quarter === undefined) throw new Error('records were expected');
  const { tf: _tf, ...nameless } = quarter;
  const wrong: [string, RecordBody][] = [
    ['version 2 without a timeframe', { ...nameless, v: 2 }],
    ['version 1 with one', { ...quarter, v: 1 }],
    ['a slot of a quarter at five minutes past', { ...quarter, slot: quarter.slot + 300 }],
    ['a slot of 15 minutes at a quarter past', { ...quarter, slot: quarter.slot + 900 }],
    ['a slot of 5 minutes between two quarters', { ...quarter, tf: '5min', slot: quarter.slot + 300 }],
  ];

  for (const [what, body] of wrong) expect(readRecordText(recordText(body)), what).toBeNull();
  expect(readRecordText(recordText({ ...nameless, v: 1 }))).not.toBeNull();
  expect(readRecordText(recordText({ ...quarter, tf: '5min', slot: quarter.slot + 900 }))).not.toBeNull();
  expect(readRecordText(recordText(minute).replace('"issued"', '"tf":"1min","issued"'))).toBeNull();
});

test('reads back any record of any timeframe, and only from its own text', () => {
  const places = fc
    .constantFrom(...TIMEFRAMES)
    .chain((timeframe) => fc.record({ timeframe: fc.constant(timeframe), at: fc.integer({ min: 1, max: 400_000 }) }));
  fc.assert(
    fc.property(places, ({ timeframe, at }) => {
      const slot = at * slotSecondsOf(timeframe);
      const { bodies, texts } = makeRecords({ timeframe, firstSlotS: slot, syms: ['SOLUSDT.P'], models: ['lion'] });
      const read = readRecordText(texts[0] ?? '');
      expect(read).toEqual(bodies[0]);
      expect(read === null ? null : timeframeOfRecord(read)).toBe(timeframe);
      expect(slot % barSecondsOf(timeframe)).toBe(0);
    }),
    { numRuns: 25 },
  );
});

test('verifies a day of all timeframes: forecasts of one slot are not doubled', async () => {
  const { records, day } = await mixedDay();
  const found = await verify(day.file);

  expect([found.isSound, found.counts.records]).toEqual([true, 9]);
  expect(new Set(records.bodies.map(({ slot }) => slot)).size).toBe(1);
});

test('finds a second forecast of one slot and timeframe, and names a late one’s slot', async () => {
  const twice = await mixedDay({ models: ['lion', 'lion'] });
  expect(faultsOf(await verify(twice.day.file)).map(({ kind, seq }) => [kind, seq])).toEqual([
    ['doubled', 2],
    ['doubled', 4],
    ['doubled', 6],
  ]);

  const late = await mixedDay({
    models: ['lion'],
    change: ({ tf, slot }) => (tf === '15min' ? { issued: slot * 1000 + 66_000 } : {}),
  });
  const found = (await verify(late.day.file)).findings.find(({ kind }) => kind === 'slot-minute');
  expect(found).toMatchObject({ seq: 3, text: expect.stringContaining('first minute of its 60-minute slot') });
});

test('recomputes figures of each timeframe apart, and those of one minute as before', async () => {
  const { day } = await mixedDay({ slots: 2 });
  const minutes = { ...day.head, statement: null };
  const alone = [minutes, ...day.texts.slice(0, 6).map((record) => ({ record, score: null }))];
  const { markets } = await recompute([day.file]);

  expect(markets.map(({ tf, counts }) => [tf, counts.issued])).toEqual([
    [undefined, 6],
    ['5min', 6],
    ['15min', 6],
  ]);
  const before = await recompute([alone.map((line) => `${JSON.stringify(line)}\n`).join('')]);
  expect(JSON.stringify(before.markets)).toBe(JSON.stringify(markets.slice(0, 1)));
});
