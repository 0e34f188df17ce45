/** Verifies days: which are sound, which change is found and named, and how long it takes. */
import { expect, test } from 'vitest';
import { DAY_S } from '#domain/record/ledger/day-statement.ts';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';
import { dayFile, publishDays } from '../testing/day-fixtures.ts';
import { makeRecords } from '../testing/record-fixtures.ts';
import { EVENING, EVENING_S, eveningDays, faultsOf, KEY, verify, withBody } from '../testing/verification-fixtures.ts';
import { nodeTools } from './node-tools.ts';

const days = await eveningDays();
/** Midnight between the two days. */
const MIDNIGHT_S = EVENING_S + 3 * 3600;

/** Makes the first day's file with other lines. */
function changed(change: (texts: string[]) => string[]): string {
  return dayFile(days[0].head, change([...days[0].texts]));
}

test('verifies two consecutive days as sound, with every check but the comparison with a stored copy', async () => {
  const result = await verify([days[1].file, days[0].file]);

  expect(result).toMatchObject({ isSound: true, findings: [], moreFindings: 0 });
  expect(result.checks.map(({ what, outcome }) => [what, outcome])).toEqual([
    ...['texts', 'chain', 'times', 'roots', 'signatures'].map((what) => [what, 'ok']),
    ['copy', 'unchecked'],
  ]);
  expect(result.counts).toMatchObject({ files: 2, records: 180, days: 2, hours: 5, signatures: 2 });
  expect(result.keys).toEqual([{ id: KEY.id, publicKey: KEY.public, isFromUser: true }]);
});

test('uses the file’s own key without a given one, and notes its limited value', async () => {
  const result = await verify(days[0].file, { keys: [] });

  expect(result.isSound).toBe(true);
  expect(result.findings).toMatchObject([{ severity: 'note', kind: 'keys-from-file' }]);
  expect(result.findings[0]?.text).toContain(KEY.public);
});

test.each<[string, (texts: string[]) => string[], { kind: string; seq: number | null }]>([
  ['a changed forecast', (t) => t.with(9, withBody(t[9] ?? '', { rv: 1 })), { kind: 'chain', seq: 11 }],
  [
    'the same, at the end of the day',
    (t) => t.with(-1, withBody(t.at(-1) ?? '', { rv: 1 })),
    { kind: 'last-hash', seq: 108 },
  ],
  ['a text with a space', (t) => t.with(9, (t[9] ?? '').replace(':', ': ')), { kind: 'unreadable-record', seq: null }],
  ['a removed row', (t) => t.toSpliced(9, 1), { kind: 'gap', seq: 11 }],
  ['the first row removed', (t) => t.slice(1), { kind: 'day-rows', seq: null }],
  ['the last row removed', (t) => t.slice(0, -1), { kind: 'day-rows', seq: null }],
  ['rows in another order', (t) => t.with(9, t[10] ?? '').with(10, t[9] ?? ''), { kind: 'order', seq: 10 }],
  ['a row twice', (t) => t.toSpliced(9, 0, t[9] ?? ''), { kind: 'doubled', seq: 10 }],
  ['a row of the other day', (t) => [...t, days[1].texts[0] ?? ''], { kind: 'foreign-day', seq: 109 }],
])('finds and names %s', async (_what, change, finding) => {
  expect(faultsOf(await verify(changed(change)))).toContainEqual(finding);
});

test('finds a backdated record, even with all hashes and signatures recomputed', async () => {
  const at = (minutes: number) => (EVENING_S + minutes * 60) * 1000;
  const cases: [(body: RecordBody) => Partial<RecordBody>, string][] = [
    // Issued before the record before it.
    [({ seq }) => (seq === 50 ? { issued: at(79) } : {}), 'issued-earlier'],
    // Issued twenty minutes later, when the outcome was already known.
    [({ seq, issued }) => (seq >= 50 ? { issued: issued + 20 * 60_000 } : {}), 'slot-minute'],
    [({ seq, slot }) => (seq === 50 ? { slot: slot - 300 } : {}), 'slot-minute'],
  ];
  for (const [change, kind] of cases) {
    const [day] = await publishDays(makeRecords({ ...EVENING, change }), [KEY]);
    expect(faultsOf(await verify(day?.file ?? '')).map((fault) => fault.kind)).toContain(kind);
  }
});

test('allows a market with its own time to issue in any minute', async () => {
  const [day] = await publishDays(
    makeRecords({ ...EVENING, market: 'simulated', change: ({ slot }) => ({ slot: slot * 2 }) }),
    [KEY],
  );

  expect(faultsOf(await verify(day?.file ?? ''))).toEqual([]);
});

test('finds two records for one slot, so that the better one cannot be chosen', async () => {
  const twice = makeRecords({
    ...EVENING,
    models: ['bobcat', 'lion'],
    version: 'bobcat-0000000001',
    change: ({ seq }) => (seq === 6 ? { model: 'bobcat' } : {}),
  });
  const [day] = await publishDays(twice, [KEY]);

  expect(faultsOf(await verify(day?.file ?? ''))).toContainEqual({ kind: 'doubled', seq: 6 });
});

test('distinguishes days that contradict each other from missing days in between', async () => {
  const long = await publishDays(makeRecords({ ...EVENING, slots: 400 }), [KEY]);
  const [other] = await publishDays(makeRecords({ ...EVENING, seed: 'other' }), [KEY]);

  const gap = await verify([long[0]?.file ?? '', long[2]?.file ?? '']);
  expect(gap).toMatchObject({ isSound: true, findings: [{ severity: 'note', kind: 'not-adjacent' }] });
  expect(faultsOf(await verify([other?.file ?? '', long[1]?.file ?? '']))).toEqual([{ kind: 'day-link', seq: 109 }]);
  expect(faultsOf(await verify([days[0].file, days[0].file]))).toEqual([{ kind: 'doubled', seq: null }]);
});

test('verifies an unfinished day as far as it goes, and notes that scores are not covered', async () => {
  const { head, texts } = days[1];
  const unsigned = dayFile({ ...head, statement: null, signature: null }, texts).replaceAll(
    '"score":null',
    '"score":{"rv":1}',
  );

  for (const [files, checked] of [
    [{ texts: [unsigned], options: { keys: [] }, notes: ['keys-from-file'] }, ['texts', 'chain', 'times']],
    [{ texts: [days[0].file, unsigned], options: {}, notes: [] }, ['texts', 'chain', 'times', 'roots', 'signatures']],
  ] as const) {
    const result = await verify(files.texts, { ...files.options, nowS: MIDNIGHT_S + DAY_S + 60 });
    expect(result.isSound).toBe(true);
    expect(result.findings.map(({ kind }) => kind)).toEqual([...files.notes, 'scores', 'unsigned-day']);
    expect(result.checks.filter(({ outcome }) => outcome === 'ok').map(({ what }) => what)).toEqual(checked);
  }
});

test('refuses an unsigned day that is over or has not begun when a key is given', async () => {
  const invented = days.map(({ head, texts }) => dayFile({ ...head, statement: null, signature: null }, texts));
  const nowS = MIDNIGHT_S + DAY_S + 3600;

  expect(faultsOf(await verify(invented, { nowS })).map(({ kind }) => kind)).toEqual([
    'missing-signature',
    'missing-signature',
    'nothing-signed',
  ]);
  expect(faultsOf(await verify([days[0].file, invented[1] ?? ''], { nowS }))).toEqual([
    { kind: 'missing-signature', seq: null },
  ]);
  expect(faultsOf(await verify([days[0].file, invented[1] ?? ''], { nowS: EVENING_S }))).toEqual([
    { kind: 'missing-signature', seq: null },
  ]);
});

test('refuses files without any signature when a key is given', async () => {
  const { head, texts } = days[1];
  const today = dayFile({ ...head, statement: null, signature: null }, texts);

  expect(faultsOf(await verify(today, { nowS: MIDNIGHT_S + 3600 }))).toEqual([{ kind: 'nothing-signed', seq: null }]);
  expect((await verify(today, { nowS: MIDNIGHT_S + 3600, keys: [] })).isSound).toBe(true);
});

const HOURS = sampleSize(12, 24);
/** Twelve slots of twelve records. */
const RECORDS_AN_HOUR = 144;

test('verifies the records of a day within 60 times the cost of parsing and hashing, and reports progress', async () => {
  const [, day] = await publishDays(makeRecords({ firstSlotS: EVENING_S, slots: 36 + 12 * HOURS }), [KEY]);
  const file = day?.file ?? '';
  const progress: number[] = [];

  const result = await verify(file, { onProgress: (done, total) => progress.push(done / total) });

  expect(result).toMatchObject({ isSound: true, counts: { records: RECORDS_AN_HOUR * HOURS, hours: HOURS } });
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect([progress.length > HOURS / 3, progress.at(-1)]).toEqual([true, 1]);
  const verifyingMs = await processorMs(() => verify(file));
  const leastMs = await processorMs(() => Promise.all(Array.from({ length: PASSES }, () => parseAndHash(file))));
  expect((verifyingMs * PASSES) / leastMs).toBeLessThan(MOST_TIMES);
});

const PASSES = 20;
/** It takes 13 to 18 times. */
const MOST_TIMES = 60;

/** The minimum work of a verification. */
async function parseAndHash(file: string): Promise<void> {
  for (const line of file.trimEnd().split('\n').slice(1)) {
    const { record }: { record: string } = JSON.parse(line);
    JSON.parse(record);
    await nodeTools.sha256(nodeTools.utf8(record));
  }
}

/** Measures CPU time instead of wall time, because other processes may use the CPU too. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1000;
}
