/** Tests who vouches for a day: keys and signatures, stored copies, and one record's proof to the signed root. */
import { expect, test } from 'vitest';
import { DAY_S, readStatementText, statementText } from '#domain/record/ledger/day-statement.ts';
import { recordFileSchema } from '#domain/record/ledger/record-files.ts';
import {
  dayFile,
  makeDayKey,
  makeSuccessor,
  type PublishedDay,
  publishDays,
  recordFile,
} from '../testing/day-fixtures.ts';
import { makeRecords } from '../testing/record-fixtures.ts';
import { EVENING, EVENING_S, eveningDays, faultsOf, KEY, verify } from '../testing/verification-fixtures.ts';
import { nodeTools, sha256Hex, signText } from './node-tools.ts';

const days = await eveningDays();

test('finds foreign keys, and wrong signatures, roots and statements of another day', async () => {
  const [first, second] = days;
  const foreign = makeDayKey();
  const [stranger] = await publishDays(makeRecords(EVENING), [foreign]);
  const statement = readStatementText(first.head.statement ?? '');
  if (statement === null) throw new Error('no statement');
  const other = statementText({
    ...statement,
    hours: statement.hours.map((h, i) => (i === 1 ? { ...h, root: 'ab'.repeat(32) } : h)),
  });
  const cases: [string, Partial<PublishedDay['head']>][] = [
    ['signature', { signature: second.head.signature }],
    ['signature', { signature: 'no base64' }],
    ['signature', { statement: other }],
    ['statement-day', { statement: second.head.statement, signature: second.head.signature }],
    ['hour-root', { statement: other, signature: signText(other, KEY) }],
    ['day-root', { statement: other, signature: signText(other, KEY) }],
    ['statement', { statement: `${first.head.statement} ` }],
    ['key-id', { keys: [{ id: KEY.id, public: foreign.public, announcement: null, signature: null }] }],
  ];

  expect(faultsOf(await verify(stranger?.file ?? ''))).toEqual([{ kind: 'foreign-key', seq: null }]);
  for (const [kind, head] of cases) {
    const result = await verify(dayFile({ ...first.head, ...head }, first.texts));
    expect(faultsOf(result).map((fault) => fault.kind)).toContain(kind);
  }
});

test('trusts a successor key announced by the old one, and then rejects the old one', async () => {
  const afterS = EVENING_S + 3600;
  const successor = makeSuccessor(KEY, afterS);
  const [byNew] = await publishDays(makeRecords(EVENING), [successor, KEY]);
  const [byOld] = await publishDays(makeRecords(EVENING), [KEY, successor]);
  const nobodys = { ...successor, signature: makeSuccessor(makeDayKey(), afterS).signature };
  const [unannounced] = await publishDays(makeRecords(EVENING), [nobodys, KEY]);
  const [lost] = await publishDays(makeRecords(EVENING), [{ ...successor, signature: null }, KEY]);

  expect(await verify(byNew?.file ?? '')).toMatchObject({ isSound: true, findings: [] });
  expect(faultsOf(await verify(byOld?.file ?? ''))).toEqual([{ kind: 'retired-key', seq: null }]);
  expect(faultsOf(await verify(unannounced?.file ?? '')).map(({ kind }) => kind)).toEqual([
    'announcement',
    'foreign-key',
  ]);
  expect(faultsOf(await verify(lost?.file ?? '')).map(({ kind }) => kind)).toEqual(['unannounced-key', 'foreign-key']);
  const verified = await verify(lost?.file ?? '', { keys: [KEY.public, successor.public] });
  expect(verified.isSound).toBe(true);
  const two = makeDayKey();
  const [twoFirst] = await publishDays(makeRecords(EVENING), [two, KEY]);
  expect(faultsOf(await verify(twoFirst?.file ?? '', { keys: [] }))).toContainEqual({
    kind: 'unannounced-key',
    seq: null,
  });
});

test('finds a rewritten and re-signed history only by comparison with a stored copy', async () => {
  const [rewritten, next] = await publishDays(makeRecords({ ...EVENING, seed: 'a better past' }), [KEY]);
  const { statement, signature } = days[0].head;
  const stored = {
    statement: statement ?? '',
    'a signed day': JSON.stringify({ statement, signature, key: KEY.id }),
    'a page of days': JSON.stringify({ days: [{ statement, signature, key: KEY.id }], next: null }, null, 1),
    'a file': days[0].file,
  };

  expect((await verify([rewritten?.file ?? '', next?.file ?? ''])).isSound).toBe(true);
  for (const [name, against] of Object.entries(stored)) {
    // A whole file also reveals the changed records.
    const records = name === 'a file' ? [{ kind: 'not-committed', seq: 1 }] : [];
    expect(faultsOf(await verify(rewritten?.file ?? '', { against }))).toEqual([
      ...records,
      { kind: 'rewritten', seq: null },
    ]);
    // The day after reveals it too, because it names the day.
    expect(faultsOf(await verify(next?.file ?? '', { against }))).toEqual([{ kind: 'rewritten', seq: null }]);
    const own = await verify(days[1].file, { against });
    expect(own).toMatchObject({ isSound: true, counts: { compared: 1 } });
    expect(own.checks.at(-1)).toMatchObject({ what: 'copy', outcome: 'ok' });
  }
});

test('reports a stored copy of other days as not compared', async () => {
  const long = await publishDays(makeRecords({ ...EVENING, slots: 700 }), [KEY]);
  expect(long.length).toBe(4);

  expect(faultsOf(await verify(long[3]?.file ?? '', { against: long[0]?.file ?? '' }))).toEqual([
    { kind: 'not-compared', seq: null },
  ]);
  expect(faultsOf(await verify(days[0].file, { against: '{}' }))).toEqual([{ kind: 'against-unreadable', seq: null }]);
});

test('traces one record to the signed root, and finds any change of it', async () => {
  const document = 'all of it';
  const hash = sha256Hex(document);
  const [day] = await publishDays(makeRecords({ ...EVENING, change: () => ({ document: hash }) }), [KEY]);
  if (day === undefined) throw new Error('no day');
  const file = await recordFile(day, 57, document);
  const [proof, other] = [file.proof, await recordFile(day, 56, document)];
  if (proof === null) throw new Error('no proof');
  const text = (changes: Partial<typeof file>) => JSON.stringify({ ...file, ...changes });

  expect(await verify(text({}))).toMatchObject({
    isSound: true,
    findings: [],
    counts: { proofs: 1, documents: 1, records: 1 },
  });
  expect((await verify(text({}), { against: day.head.statement })).checks.at(-1)?.outcome).toBe('ok');
  const cases: [Partial<typeof file>, string][] = [
    [{ record: other.record }, 'hash'],
    [{ record: other.record, hash: other.hash }, 'proof'],
    [{ record: 'nothing' }, 'unreadable-record'],
    [{ document: 'another' }, 'document'],
    [{ proof: { ...proof, path: proof.path.slice(1) } }, 'proof'],
    [{ proof: { ...proof, path: proof.path.with(0, 'ab'.repeat(32)) } }, 'proof'],
    [{ proof: { ...proof, hour: proof.hour - 1 } }, 'proof'],
    [{ proof: { ...proof, signature: days[1].head.signature ?? '' } }, 'signature'],
    [
      { proof: { ...proof, statement: days[1].head.statement ?? '', signature: days[1].head.signature ?? '' } },
      'proof',
    ],
  ];
  for (const [changes, kind] of cases)
    expect(faultsOf(await verify(text(changes))).map((fault) => fault.kind)).toContain(kind);
  const open = await verify(text({ proof: null }), { keys: [] });
  expect(open.findings.map(({ kind }) => kind)).toEqual(['keys-from-file', 'no-proof']);
  const over = await verify([text({}), text({ proof: null })], { nowS: EVENING_S + 2 * DAY_S });
  expect(faultsOf(over)).toEqual([{ kind: 'missing-signature', seq: 58 }]);
  expect(recordFileSchema.safeParse(file).success).toBe(true);
});

test('checks everything but signatures without Ed25519, and reports them as unchecked', async () => {
  const fails = () => Promise.reject(new Error('unrecognised algorithm'));
  for (const verifyEd25519 of [null, fails]) {
    const result = await verify(days[0].file, { tools: { ...nodeTools, verifyEd25519 } });
    expect(result).toMatchObject({
      isSound: true,
      findings: [{ kind: 'unchecked-signature' }],
      counts: { signatures: 0 },
    });
    expect(result.checks.find(({ what }) => what === 'signatures')?.outcome).toBe('unchecked');
  }
});
