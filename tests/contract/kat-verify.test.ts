/** kat-verify against a real server's signed day, against our own verifier, and packed, in a folder with nothing else. */
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDay } from '../../packages/verify/source/verify-day.ts';
import { sha256Hex } from '../../server/record/ledger/node-tools.ts';
import { sealRecord } from '../../server/record/ledger/sealing.ts';
import { chainOf, makeChances } from '../../server/record/testing/chance-fixtures.ts';
import {
  dayFile,
  makeDayKey,
  makeSuccessor,
  type PublishedDay,
  publishDays,
} from '../../server/record/testing/day-fixtures.ts';
import { FIRST_SLOT_S, insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { eveningDays, faultsOf, KEY, verify, withBody } from '../../server/record/testing/verification-fixtures.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { runFile, runProgram } from '../support/servers/run-script.ts';
import { openProgramWorld } from './support/services/programs.ts';

const DAY = new Date(FIRST_SLOT_S * 1000).toISOString().slice(0, 10);
const none = new AbortController().signal;

const [first, second] = await eveningDays();
const lines = first.file.trimEnd().split('\n');
const withLines = (change: (all: string[]) => string[]) => `${change([...lines]).join('\n')}\n`;
const withText = (at: number, text: string) =>
  withLines((all) => all.with(at, JSON.stringify({ record: text, score: null })));
const textAt = (at: number) => first.texts[at - 1] ?? '';

test('finds a whole signed day sound, as our own verifier does', async () => {
  const report = verifyDay(first.file, { key: KEY.public });

  expect(report).toMatchObject({ isSound: true, faults: [], records: 108, sealed: 0, isSigned: true, day: first.day });
  expect(report.keys).toEqual([KEY.public]);
  expect(faultsOf(await verify(first.file))).toEqual([]);
  expect(verifyDay(first.file).notes.join()).toContain('No key was given');
});

test.each([
  ['a changed price', () => withText(5, withBody(textAt(5), { close: '1' }))],
  ['a record that is missing', () => withLines((all) => all.toSpliced(7, 1))],
  ['a doubled record', () => withLines((all) => all.toSpliced(7, 0, all[7] ?? ''))],
  ['two records in another order', () => withLines((all) => all.with(3, all[4] ?? '').with(4, all[3] ?? ''))],
  ['the last record cut off', () => withLines((all) => all.slice(0, -1))],
  ['a later time of issue', () => withText(9, withBody(textAt(9), { issued: 1_763_000_000_000 }))],
  ['a text with a blank', () => withText(2, textAt(2).replace('":', '": '))],
  ['a line that is no record', () => withLines((all) => all.with(4, '{"record":1}'))],
  ['a signature of other bytes', () => withHead({ signature: Buffer.alloc(64, 1).toString('base64') })],
  [
    'a statement for another day',
    () => withHead({ statement: first.head.statement?.replace(first.day, '2025-11-11') }),
  ],
  ['a root that was changed', () => withHead({ statement: first.head.statement?.replace(/"root":"../, '"root":"00') })],
  ['no head', () => lines.slice(1).join('\n')],
])('finds %s, as our own verifier does', async (_what, change) => {
  const file = change();

  expect(verifyDay(file, { key: KEY.public })).toMatchObject({ isSound: false });
  expect((await verify(file)).isSound).toBe(false);
});

test('follows a key that the one before it announced, until that one was retired', async () => {
  const start = makeDayKey();
  const next = makeSuccessor(start, FIRST_SLOT_S - 86_400);
  const records = makeRecords({ slots: 2, firstSlotS: FIRST_SLOT_S });
  const publish = async (keys: Parameters<typeof publishDays>[1]): Promise<PublishedDay> => {
    const [day] = await publishDays(records, keys);
    if (day === undefined) throw new Error('no day');
    return day;
  };

  expect(verifyDay((await publish([next, start])).file, { key: start.public })).toMatchObject({ isSound: true });
  expect(verifyDay((await publish([start, next])).file, { key: start.public }).faults).toEqual([
    `The day is signed with ${start.id}, which was retired before.`,
  ]);
  const stranger = makeDayKey();
  expect(verifyDay((await publish([stranger, start])).file, { key: start.public }).faults).toEqual([
    `The day is signed with ${stranger.id}, which is no trusted key.`,
  ]);
  expect(verifyDay((await publish([stranger, start])).file).isSound).toBe(false);
});

test('reads chances and sealed records, and compares with an earlier copy', async () => {
  const [day] = await publishDays(chainOf(makeChances({ quarters: 2 })), [KEY]);
  expect(verifyDay(day?.file ?? '', { key: KEY.public })).toMatchObject({ isSound: true, faults: [] });

  const sealed = lines.map((line, i) => (i < 100 ? line : sealedLine(line)));
  const copy = `${sealed.join('\n')}\n`;
  expect(verifyDay(copy, { key: KEY.public })).toMatchObject({ isSound: true, sealed: 9 });
  expect(verifyDay(first.file, { key: KEY.public, against: copy }).isSound).toBe(true);
  const other = dayFile(first.head, first.texts.with(3, withBody(textAt(4), { close: '2' })));
  expect(verifyDay(first.file, { key: KEY.public, against: other }).faults).toEqual([
    'Record 4 is not the one in your copy.',
  ]);
});

test('finds what the file lacks of an earlier copy: records, the signature, or the whole day', () => {
  const unsigned = { statement: null, signature: null };
  const against = (file: string, copy: string) =>
    verifyDay(file, { against: copy }).faults.filter((fault) => !fault.startsWith('The day is over'));
  const running = (count: number) =>
    withLines((all) => [withHead(unsigned).split('\n')[0] ?? '', ...all.slice(1, count)]);

  expect(against(running(109), running(109))).toEqual([]);
  expect(against(running(109), running(50))).toEqual([]);
  expect(against(running(108), running(109))).toEqual(['Record 108 is not the one in your copy.']);
  expect(against(running(1), running(109))).toHaveLength(99);
  expect(against(first.file, running(109))).toEqual([]);
  expect(against(running(109), first.file)).toEqual(['The copy is signed, and the file is not.']);
  const rewritten = withHead({ statement: first.head.statement?.replace('"count":', '"count":1') });
  expect(against(rewritten, first.file)).toContain('The day’s statement is not the one in your copy.');
  expect(against(first.file, second.file)).toEqual([`The copy is of ${second.day}, not of ${first.day}.`]);
  expect(against(first.file, lines[0] ?? '')).toEqual(['The copy has no records to compare with.']);
  expect(against(first.file, lines.slice(1).join('\n'))).toEqual([
    'The first line of the copy is not the head of a day’s file.',
  ]);
});

test('refuses a past day without its signature, and a file of another day than the requested one', () => {
  const unsigned = withHead({ statement: null, signature: null });
  expect(verifyDay(unsigned).faults).toEqual(['The day is over and not signed.']);
  expect(verifyDay(first.file, { key: KEY.public, day: '2025-11-11' }).faults).toEqual([
    `The file is of ${first.day}, not of 2025-11-11.`,
  ]);
  expect(verifyDay(first.file, { key: KEY.public, day: first.day }).isSound).toBe(true);
});

test('reports an hour outside of all dates and a file of too many keys as faults', () => {
  const statement = first.head.statement?.replace(/"hour":\d+/, '"hour":9000000000000000') ?? null;
  expect(verifyDay(withHead({ statement })).faults).toContain('The day’s statement cannot be read.');
  const keys = Array.from({ length: 5000 }, () => first.head.keys[0]);
  expect(verifyDay(withHead({ keys })).faults).toContain('The file has more than 200 keys.');
});

describe('the command kat-verify', () => {
  const sent: { answer(response: ServerResponse): void } = { answer: (response) => void response.end() };
  const site = createServer((_request, response) => sent.answer(response));
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    site.closeAllConnections();
    site.close();
  });
  const run = (...args: string[]) =>
    runFile({ file: 'packages/verify/source/command.ts', args, env: {}, cwd: tmpdir() });

  test.each<[string, number, RegExp, (response: ServerResponse) => void]>([
    ['the day', 0, /^sound: /m, (response) => void response.end(first.file)],
    [
      'a sound file of another day',
      1,
      /^wrong: The file is of 2025-11-12, not of 2025-11-13/m,
      (response) => void response.end(first.file),
    ],
    [
      'a file whose last lines are missing',
      1,
      /^NOT sound/m,
      (response) => void response.end(lines.slice(0, 50).join('\n')),
    ],
    [
      'a file cut within a line',
      1,
      /^wrong: Line \d+ is not a record/m,
      (response) => void response.end(first.file.slice(0, -40)),
    ],
    [
      'a download that breaks off',
      2,
      /^could not check: /m,
      (response) => {
        response.writeHead(200, { 'content-length': String(first.file.length * 2) }).write(first.file);
        setTimeout(() => response.destroy(), 50);
      },
    ],
    ['an endless file', 2, /^could not check: the file is larger than 200 MB/m, endless],
    [
      'a page of an error',
      2,
      /^could not check: .* answered 502/m,
      (response) => void response.writeHead(502).end('x'),
    ],
  ])('exits for %s with %i', async (what, code, text, answer) => {
    sent.answer = answer;
    const day = what.includes('another') ? '2025-11-13' : first.day;
    const result = await run(day, '--site', url, '--key', KEY.public);

    expect([result.code, result.text]).toEqual([code, expect.stringMatching(text)]);
  });

  test.each([
    ['no day', ['2025-13-45x']],
    ['a folder', ['.']],
    ['a copy that does not exist', [DAY, '--against', './nothing']],
    ['a site that does not answer', [DAY, '--site', 'http://127.0.0.1:1']],
    ['an unknown option', [DAY, '--trust-me']],
    ['two days', [DAY, DAY]],
  ])('exits for %s with 2 and a reason', async (_what, args) => {
    const { code, text } = await run(...args);
    expect([code, text]).toEqual([2, expect.stringMatching(/^(?:could not check: .|usage: )/m)]);
  });
});

/** Writes for as long as the reader takes it. */
function endless(response: ServerResponse): void {
  const part = Buffer.alloc(1 << 20, 'x');
  const parts = function* () {
    for (;;) yield part;
  };
  pipeline(Readable.from(parts()), response, () => undefined);
}

describeOneDatabase('kat-verify and a server', (kind) => {
  const world = openedForTests(() => openProgramWorld(kind, { modelsDir: '/nowhere' }));

  test('verifies a published day of a server, packed and without anything installed', async () => {
    const { server, database } = world();
    await insertRecords(database, makeRecords({ slots: 40 }));
    await sealRecord({ database, clock: { nowMs: () => Date.now() }, log: testLog, dataDir: server.dataDir }, none);
    const folder = await mkdtemp(join(tmpdir(), 'kat-packages-'));
    try {
      const built = await runFile({ file: 'scripts/packages/build-packages.ts', args: [folder], env: {}, cwd: folder });
      expect([built.code, built.text]).toEqual([0, expect.stringContaining('kat-verify.tgz')]);
      const bare = await mkdtemp(join(folder, 'bare-'));
      await copyFile(join(folder, 'kat-verify.tgz'), join(bare, 'kat-verify.tgz'));
      const args = ['--yes', '--offline', './kat-verify.tgz', DAY, '--site', server.url];
      const { code, text } = await runProgram('npx', args, { cwd: bare, env: {} });

      expect([code, text]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^sound: ${DAY}, \\d{3} records, signed by`, 'm')),
      ]);
      const wrong = await runProgram('npx', [...args.slice(0, 4), '--site', server.url, '--key', 'ab'.repeat(32)], {
        cwd: bare,
        env: {},
      });
      expect(wrong.code).toBe(1);
      expect((await stat(join(folder, 'kat-client.tgz'))).size).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function withHead(change: object): string {
  return withLines((all) => all.with(0, JSON.stringify({ ...first.head, ...change })));
}

function sealedLine(line: string): string {
  const { record }: { record: string } = JSON.parse(line);
  const { seq, slot, issued, sym, model, version, role, market } = JSON.parse(record);
  const hash = sha256Hex(record);
  return JSON.stringify({ sealed: { seq, slot, issued, sym, model, version, role, market, hash }, score: null });
}
