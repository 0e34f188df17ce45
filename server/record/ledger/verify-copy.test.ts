/** Compares files with a saved copy in both directions: nothing that the copy holds may be missing from the files. */
import { expect, test } from 'vitest';
import { dayFile, publishDays, recordFile } from '../testing/day-fixtures.ts';
import { makeRecords } from '../testing/record-fixtures.ts';
import { EVENING, eveningDays, faultsOf, KEY, verify } from '../testing/verification-fixtures.ts';

const [day, next] = await eveningDays();
const UNSIGNED = { statement: null, signature: null };

/** The day's file, not signed yet, with its first records. */
function running(count: number, { head, texts } = day): string {
  return dayFile({ ...head, ...UNSIGNED }, texts.slice(0, count));
}

const compare = (file: string, against: string) => verify(file, { against, keys: [] });

test.each([
  ['its last record', 107, 108],
  ['its last twenty', 88, 89],
  ['all of its records', 0, 1],
])('finds a file that lacks %s although it is whole in itself', async (_what, count, seq) => {
  const result = await compare(running(count), running(108));

  expect((await verify(running(count), { keys: [] })).isSound).toBe(true);
  expect(faultsOf(result)).toEqual([{ kind: 'missing-record', seq }]);
  expect(result.checks.find(({ what }) => what === 'copy')?.outcome).toBe('failed');
});

test('finds a record that only the copy’s own file holds', async () => {
  const { proof: _, ...file } = await recordFile(day, 107);
  const against = JSON.stringify({ ...file, proof: null });

  expect(faultsOf(await compare(running(100), against))).toEqual([{ kind: 'missing-record', seq: 108 }]);
  expect(faultsOf(await compare(running(108), against))).toEqual([]);
});

test('accepts a file that continues its copy, and one of other days than the copy’s', async () => {
  for (const count of [1, 60, 108]) {
    expect(await compare(running(108), running(count))).toMatchObject({ isSound: true, counts: { committed: count } });
    expect(await compare(day.file, running(count))).toMatchObject({ isSound: true, counts: { committed: count } });
  }
  expect(await compare(day.file, `${running(50)}${next.file}`)).toMatchObject({
    isSound: true,
    counts: { committed: 50, compared: 1 },
  });
});

test('finds a day or a record that the copy has signed and the file has not', async () => {
  const { statement, signature } = day.head;
  const { proof, ...file } = await recordFile(day, 5);
  const copies = [
    statement ?? '',
    JSON.stringify({ statement, signature, key: KEY.id }),
    JSON.stringify({ days: [{ statement, signature, key: KEY.id }], next: null }),
    day.file,
    JSON.stringify({ ...file, proof }),
  ];
  for (const against of copies) {
    for (const unsigned of [running(108), JSON.stringify({ ...file, proof: null })])
      expect(faultsOf(await compare(unsigned, against))).toEqual([{ kind: 'signature-removed', seq: null }]);
    expect(faultsOf(await compare(day.file, against))).toEqual([]);
  }
});

test('finds a signed day that ends before the number with which the copy’s next day begins', async () => {
  const [short] = await publishDays(makeRecords({ ...EVENING, slots: 20 }), [KEY]);

  expect(faultsOf(await compare(short?.file ?? '', next.head.statement ?? ''))).toEqual([
    { kind: 'rewritten', seq: null },
  ]);
});

test('finds records that are missing between days, across days without any', async () => {
  const long = await publishDays(makeRecords({ ...EVENING, slots: 400 }), [KEY]);
  const [first, second, third] = long;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three days were expected');
  const files = (count: number, middle: string) => [running(count, first), middle, third.file];
  const emptied = running(0, second);

  expect(faultsOf(await verify(files(108, second.file), { keys: [] }))).toEqual([]);
  expect(faultsOf(await verify(files(100, second.file), { keys: [] }))).toEqual([{ kind: 'gap', seq: 101 }]);
  expect(faultsOf(await verify(files(108, emptied), { keys: [] }))).toEqual([{ kind: 'gap', seq: 109 }]);
});

test('only notes records that may be in the file of a day that is not here', async () => {
  const long = await publishDays(makeRecords({ ...EVENING, slots: 700 }), [KEY]);
  const [first, , third, fourth] = long;
  if (first === undefined || third === undefined || fourth === undefined) throw new Error('four days were expected');

  const { findings } = await verify([first.file, running(0, third), fourth.file], { keys: [] });
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'note', kind: 'not-adjacent' }));
  expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
});

test('follows a day to the next one while that one’s first record is sealed', async () => {
  const { head, texts } = next;
  const { seq, slot, issued, sym, model, version, role, market } = JSON.parse(texts[0] ?? '');
  const { hash } = await recordFile(next, 0);
  const sealed = { seq, slot, issued, sym, model, version, role, market, hash };
  const morning = [
    { ...head, ...UNSIGNED },
    { sealed, score: null },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

  expect(faultsOf(await verify([day.file, morning], { keys: [] }))).toEqual([]);
});

test('reports lines of the copy that it could not compare', async () => {
  const result = await compare(day.file, day.file.slice(0, -40));

  expect(result.findings).toContainEqual(
    expect.objectContaining({
      kind: 'against-unreadable',
      text: '1 line of your copy can’t be read, so it was not compared.',
    }),
  );
});
