/** Tests files fetched while records were sealed: how they verify, and what they prove once the texts are published. */
import { expect, test } from 'vitest';
import { type RecordFile, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { type PublishedDay, recordFile } from '../testing/day-fixtures.ts';
import { eveningDays, faultsOf, requireRecord, verify, withBody } from '../testing/verification-fixtures.ts';
import { sha256Hex } from './node-tools.ts';

const [day] = await eveningDays();
const COUNT = day.texts.length;

function sealedLine(text: string): unknown {
  return { sealed: sealedRecord(requireRecord(text), sha256Hex(text)), score: null };
}

/** Makes the day's file with its last records sealed. */
function fileWith(sealed: number, { head = day.head, texts = day.texts }: Partial<PublishedDay> = {}): string {
  const from = texts.length - sealed;
  const lines = texts.map((record, i) => (i < from ? { record, score: null } : sealedLine(record)));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function sealedFile(place: number): Promise<string> {
  const { hash, ...file } = await recordFile(day, place);
  const sealed = sealedRecord(requireRecord(day.texts[place] ?? ''), hash);
  return JSON.stringify({ ...file, record: null, sealed, hash } satisfies RecordFile);
}

test('verifies a signed day with sealed records by their hashes, and notes their unread texts', async () => {
  const result = await verify(fileWith(30));

  expect(result).toMatchObject({ isSound: true, counts: { records: COUNT, sealed: 30, signatures: 1, hours: 3 } });
  expect(result.findings.map(({ kind, text }) => [kind, text])).toEqual([
    [
      'sealed',
      `30 records of ${day.day} are sealed in this file. Texts are published once their 50 bars, or a chance’s window, have closed. Keep this file and compare it with the texts then.`,
    ],
  ]);
  expect(result.checks.find(({ what }) => what === 'texts')?.outcome).toBe('unchecked');
});

test('finds a sealed record’s hash that is not in the signed tree', async () => {
  const lines = fileWith(3).split('\n');
  const at = lines.length - 2;
  lines[at] = (lines[at] ?? '').replace(/"hash":"."/, '"hash":"0"').replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000');

  expect(faultsOf(await verify(lines.join('\n'))).map(({ kind }) => kind)).toContain('hour-root');
});

test('finds a sealed record that the next text does not name', async () => {
  const lines = fileWith(0).split('\n');
  const other = withBody(day.texts[9] ?? '', { rv: 1 });
  lines[10] = JSON.stringify(sealedLine(other));

  expect(faultsOf(await verify(lines.join('\n')))).toContainEqual({ kind: 'chain', seq: 11 });
});

test('traces a sealed record to the signed root by its hash', async () => {
  const result = await verify(await sealedFile(5));

  expect(result).toMatchObject({ isSound: true, counts: { records: 1, sealed: 1, proofs: 1 } });
});

test('refuses a sealed file whose two hashes differ, or with neither text nor sealed hash', async () => {
  const file = JSON.parse(await sealedFile(5));

  for (const wrong of [
    { ...file, hash: sha256Hex('another') },
    { ...file, sealed: undefined },
  ])
    expect(faultsOf(await verify(JSON.stringify(wrong)))).toContainEqual({ kind: 'unreadable-record', seq: null });
});

test('confirms revealed texts against a stored sealed file', async () => {
  const result = await verify(day.file, { against: fileWith(COUNT, { head: { ...day.head, statement: null } }) });

  expect(result).toMatchObject({ isSound: true, counts: { committed: COUNT, sealed: 0 } });
  expect(result.checks.find(({ what }) => what === 'copy')?.outcome).toBe('ok');
  expect(await verify(await sealedFile(7), { against: await sealedFile(7) })).toMatchObject({ isSound: true });
});

test('finds a text that was not the committed one, although its file is sound', async () => {
  const stored = JSON.parse(await sealedFile(COUNT - 1));
  const other = sha256Hex(withBody(day.texts.at(-1) ?? '', { rv: 1 }));
  const against = JSON.stringify({ ...stored, hash: other, sealed: { ...stored.sealed, hash: other } });

  const result = await verify(day.file, { against });

  expect(faultsOf(result)).toEqual([{ kind: 'not-committed', seq: COUNT }]);
});

test('finds a record with another key or time than the stored copy under the same hash', async () => {
  const stored = JSON.parse(await sealedFile(3));
  for (const change of [{ issued: stored.sealed.issued - 1 }, { sym: 'ETHUSDT.P' }, { version: 'lion-9' }]) {
    const against = JSON.stringify({ ...stored, sealed: { ...stored.sealed, ...change } });
    expect(faultsOf(await verify(day.file, { against }))).toEqual([{ kind: 'not-committed', seq: 4 }]);
  }
});

test('reports a stored copy that has nothing in common with the files', async () => {
  const [, other] = await eveningDays();

  const against = JSON.stringify({ ...JSON.parse(await sealedFile(3)), proof: null });
  expect(faultsOf(await verify(other.file, { against }))).toEqual([{ kind: 'not-compared', seq: null }]);
  expect(faultsOf(await verify(other.file, { against: '{"nothing": 1}' }))).toEqual([
    { kind: 'against-unreadable', seq: null },
  ]);
});
