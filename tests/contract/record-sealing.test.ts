/** A job seals the record's hours and days; HTTP publishes them, and any reader can verify them. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { daysFileSchema, keysFileSchema, recordFileSchema } from '#domain/record/ledger/record-files.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { downloadLimit } from '../../server/record/download-limit.ts';
import { removeOldDocuments } from '../../server/record/ledger/document-store.ts';
import { ledgerRoutes } from '../../server/record/ledger/ledger-routes.ts';
import { ClockBehind, ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { nodeTools, sha256Hex } from '../../server/record/ledger/node-tools.ts';
import { replaceLostRecordKeys, rotateRecordKey } from '../../server/record/ledger/record-key-file.ts';
import { sealRecord } from '../../server/record/ledger/sealing.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { everythingRevealed } from '../../server/record/testing/reveal-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const never = new AbortController().signal;
const HOUR_MS = 3_600_000;
/** Three hours before midnight. */
const EVENING_S = Date.parse('2025-11-12T21:00:00Z') / 1000;
/** Downloads of whole days allowed in a test. */
const DOWNLOADS = 12;
/** All slots are over: 36 on the first day, 264 on the second, which is still running. */
const plan = { slots: 300, syms: ['BTCUSDT.P'], models: ['bobcat' as const], firstSlotS: EVENING_S };

describeOneDatabase('sealing of the record', (kind) => {
  const opened = openedForTests(() => openTestDatabase(kind));
  let database: Database;
  let folder: string;
  let nowMs: number;
  let lines: string[];
  let app: Hono;

  beforeEach(async () => {
    database = opened();
    await emptyRecord(database);
    folder = await mkdtemp(join(tmpdir(), 'kat-record-'));
    nowMs = EVENING_S * 1000;
    lines = [];
    app = new Hono().route(
      '/',
      ledgerRoutes({
        database,
        log: log(),
        clock: { nowMs: () => nowMs },
        reveal: everythingRevealed,
        baselineText: (version) => (version === 'har-1' ? '{}' : null),
        countDownload: downloadLimit(() => 'everybody', { limit: { points: DOWNLOADS, perS: 60 } }),
      }),
    );
    app.onError((error) => errorResponse(error));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const log = () => createLogger('info', { write: (line) => void lines.push(line) });
  const seal = (dataDir = folder) =>
    sealRecord({ database, clock: { nowMs: () => nowMs }, log: log(), dataDir }, never);
  const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
  const text = async (path: string) => (await get(path)).text();
  const verify = (files: readonly string[], keys: readonly string[] = []) =>
    verifyRecordFiles(
      files.map((file, i) => ({ name: String(i), text: file })),
      { tools: nodeTools, nowS: nowMs / 1000, keys },
    );
  const keysHere = async () => keysFileSchema.parse(JSON.parse(await text('/record/keys.json'))).keys;

  test('seals an hour and a day two minutes after their end, and only once', async () => {
    await insertRecords(database, makeRecords(plan));
    const endMs = EVENING_S * 1000 + HOUR_MS;

    nowMs = endMs + 119_999;
    expect(await seal()).toEqual({ hours: 0, days: [] });
    nowMs = endMs + 120_000;
    expect(await seal()).toEqual({ hours: 1, days: [] });
    expect(await seal()).toEqual({ hours: 0, days: [] });
    nowMs += 2 * HOUR_MS - 1;
    expect(await seal()).toEqual({ hours: 1, days: [] });
    nowMs += 1;
    expect(await seal()).toEqual({ hours: 1, days: ['2025-11-12'] });
    expect(await seal()).toEqual({ hours: 0, days: [] });
  });

  test('seals everything in one round after days without one, once even with two leaders', async () => {
    await insertRecords(database, makeRecords({ ...plan, slots: 700 }));
    nowMs += 10 * 24 * HOUR_MS;

    const outcomes = await Promise.all([seal(), seal()]);

    expect(outcomes.reduce((sum, { hours }) => sum + hours, 0)).toBe(59);
    expect(outcomes.flatMap(({ days }) => days).sort()).toEqual([
      '2025-11-12',
      '2025-11-13',
      '2025-11-14',
      '2025-11-15',
    ]);
    const files = await Promise.all(['12', '13', '14', '15'].map((day) => text(`/record/days/2025-11-${day}.ndjson`)));
    const result = await verify(
      files,
      (await keysHere()).map((key) => key.public),
    );
    expect(result).toMatchObject({
      isSound: true,
      findings: [],
      counts: { records: 700, days: 4, signatures: 4, hours: 59 },
    });
  });

  test("refuses records over 5 s before a sealed hour's end, and moves others past it", async () => {
    const records = makeRecords({ ...plan, slots: 30 });
    await insertRecords(database, { ...records, bodies: records.bodies.slice(0, 12) });
    nowMs += HOUR_MS + 120_000;
    await seal();
    const { v: _v, seq: _seq, prev: _prev, ...record } = records.bodies[12] ?? records.bodies[0] ?? never.reason;
    const document = sha256Hex('d');
    const bring = (issued: number) =>
      ledgerStore(database).append([{ record: { ...record, document, issued }, documentText: 'd' }]);

    await expect(bring(EVENING_S * 1000 + HOUR_MS - 5001)).rejects.toThrow(ClockBehind);
    expect(await bring(EVENING_S * 1000 + HOUR_MS - 5000)).toEqual({ appended: [13], skipped: 0 });
    const [row] = await database.query(OWNER, 'select issued_ms from private.track_records where seq = 13');
    expect(row).toEqual({ issued_ms: EVENING_S * 1000 + HOUR_MS });
  });

  test('publishes a record with its proof once its day is signed, verifiable offline', async () => {
    await insertRecords(database, makeRecords(plan));
    await database.query(
      OWNER,
      `insert into private.track_scores (seq, state, void_reason) values (3, 'void', 'candles-gone')`,
    );
    const open = await text('/record/records/3.json');
    const early = await text('/record/days/2025-11-12.ndjson');
    expect(JSON.parse(await text('/record/days/2025-11-12.json'))).toEqual({
      statement: null,
      signature: null,
      key: null,
    });
    expect(early.split('\n').length).toBe(38);

    nowMs += 4 * HOUR_MS;
    await seal();

    const file = recordFileSchema.parse(JSON.parse(await text('/record/records/3.json')));
    expect(recordFileSchema.parse(JSON.parse(open)).proof).toBe(null);
    expect(file).toMatchObject({ score: { void: 'candles-gone' }, document: null });
    expect(await verify([JSON.stringify(file)])).toMatchObject({ isSound: true, counts: { proofs: 1, signatures: 1 } });
    expect((await verify([early])).isSound).toBe(true);
    const signed = await text('/record/days/2025-11-12.ndjson');
    expect(signed.split('\n').slice(1)).toEqual(early.split('\n').slice(1));
    expect(await verify([signed])).toMatchObject({ isSound: true, counts: { records: 36, signatures: 1 } });
    expect((await verify([signed.replace('"rv\\":', '"rv\\":1')])).isSound).toBe(false);
    const day = JSON.parse(await text('/record/days/2025-11-12.json'));
    expect(daysFileSchema.parse(JSON.parse(await text('/record/days.json')))).toEqual({ days: [day], next: null });
  });

  test('lists days newest first, 31 per page', async () => {
    // One record a day.
    const change = ({ seq, issued }: { seq: number; issued: number }) => ({
      issued: issued + (seq - 1) * 24 * HOUR_MS,
    });
    await insertRecords(database, makeRecords({ ...plan, slots: 41, change }));
    nowMs += 60 * 24 * HOUR_MS;
    await seal();

    const first = daysFileSchema.parse(JSON.parse(await text('/record/days.json')));
    const second = daysFileSchema.parse(JSON.parse(await text(first.next ?? '')));

    expect([first.days.length, second.days.length, second.next]).toEqual([31, 10, null]);
    const names = [...first.days, ...second.days].map(({ statement }) => JSON.parse(statement).day);
    expect(names).toEqual(names.toSorted().reverse());
    expect(new Set(names).size).toBe(41);
  });

  test('continues with a rotated key that the old one announced, and erases the old secret', async () => {
    await insertRecords(database, makeRecords({ ...plan, slots: 700 }));
    nowMs += 4 * HOUR_MS;
    await seal();
    const [first] = await keysHere();
    const before = await rotateRecordKey(folder, nowMs / 1000);
    nowMs += 10 * 24 * HOUR_MS;
    await seal();

    const files = await Promise.all(['12', '13'].map((day) => text(`/record/days/2025-11-${day}.ndjson`)));
    expect(await verify(files, [first?.public ?? ''])).toMatchObject({
      isSound: true,
      findings: [],
      counts: { signatures: 2 },
    });
    expect((await keysHere()).map(({ id }) => id)).toEqual([before.id, first?.id]);
    const file = JSON.parse(await readFile(join(folder, 'record-keys.json'), 'utf8'));
    expect(file.keys.map(({ secret }: { secret: string | null }) => secret === null)).toEqual([false, true]);
    expect((await stat(join(folder, 'record-keys.json'))).mode & 0o777).toBe(0o600);
  });

  test('signs nothing without the key, and publishes a new key unannounced when the old is lost', async () => {
    await insertRecords(database, makeRecords(plan));
    await seal();
    const elsewhere = await mkdtemp(join(tmpdir(), 'kat-record-'));
    try {
      nowMs += 4 * HOUR_MS;
      expect(await seal(elsewhere)).toEqual({ hours: 3, days: [] });
      expect(lines.join('')).toContain('does not have the signing key');
      // The other folder contains a different key.
      await writeFile(join(elsewhere, 'record-keys.json'), await anotherKeyFile());
      expect(await seal(elsewhere)).toEqual({ hours: 0, days: [] });

      await rm(join(elsewhere, 'record-keys.json'));
      await replaceLostRecordKeys(elsewhere, nowMs / 1000);
      expect(await seal(elsewhere)).toEqual({ hours: 0, days: ['2025-11-12'] });
      const keys = await keysHere();
      expect(keys[0]).toMatchObject({ signature: null });
      const file = await text('/record/days/2025-11-12.ndjson');
      expect((await verify([file])).findings.map((one) => one.kind)).toContain('unannounced-key');
      expect(
        await verify(
          [file],
          keys.map((key) => key.public),
        ),
      ).toMatchObject({ isSound: true });
      await expect(replaceLostRecordKeys(elsewhere, 0)).rejects.toThrow(/Rotate/);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  async function anotherKeyFile(): Promise<string> {
    const other = await mkdtemp(join(tmpdir(), 'kat-record-'));
    await replaceLostRecordKeys(other, 0);
    const stored = JSON.parse(await readFile(join(other, 'record-keys.json'), 'utf8'));
    await rm(other, { recursive: true });
    return JSON.stringify({
      ...stored,
      keys: stored.keys.map(({ beginsAnew: _begins, ...key }: { beginsAnew: true }) => key),
    });
  }

  test('creates no key before the first record, and none in place of a damaged file', async () => {
    expect(await seal()).toEqual({ hours: 0, days: [] });
    expect(await keysHere()).toEqual([]);
    await writeFile(join(folder, 'record-keys.json'), '{"secret": "half');
    await insertRecords(database, makeRecords({ ...plan, slots: 1 }));

    await expect(seal()).rejects.toThrow(/damaged/);
    await expect(seal()).rejects.not.toThrow(/half/);
  });

  test('answers with ETags and open origins, 404 for missing files and 400 for invalid ones', async () => {
    await insertRecords(database, makeRecords(plan));
    nowMs += 4 * HOUR_MS;
    await seal();
    const paths = [
      'keys.json',
      'days.json',
      'days/2025-11-12.json',
      'days/2025-11-12.ndjson',
      'records/1.json',
      'baselines/har-1.json',
    ];
    for (const path of paths) {
      const answer = await get(`/record/${path}`);
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
      const again = await get(`/record/${path}`, { 'if-none-match': answer.headers.get('etag') ?? '' });
      expect([path, again.status]).toEqual([path, 304]);
      expect((await app.request(`/record/${path}`, { method: 'POST' })).status).toBe(405);
    }
    const status = async (path: string) => (await get(`/record/${path}`)).status;
    for (const path of [
      'days/2025-11-10.json',
      'days/2025-11-10.ndjson',
      'records/999999.json',
      'baselines/har-2.json',
    ])
      expect([path, await status(path)]).toEqual([path, 404]);
    for (const path of [
      'days/2025-13-10.json',
      'days/x.ndjson',
      'records/0.json',
      'records/1e3.json',
      'records/99999999999999999999.json',
      'days.json?before=x',
    ])
      expect([path, await status(path)]).toEqual([path, 400]);
  });

  test('deletes documents after 90 days and keeps their records', async () => {
    const records = makeRecords({ ...plan, slots: 1 });
    const { v: _v, seq: _seq, prev: _prev, ...record } = records.bodies[0] ?? never.reason;
    await ledgerStore(database).append([{ record: { ...record, document: sha256Hex('all') }, documentText: 'all' }]);
    const remove = (days: number) =>
      removeOldDocuments({ database, clock: { nowMs: () => Date.now() + days * 24 * HOUR_MS }, log: log() }, never);

    expect(await remove(89)).toBe(0);
    expect(JSON.parse(await text('/record/records/1.json')).document).toBe('all');
    expect(await remove(91)).toBe(1);
    expect(JSON.parse(await text('/record/records/1.json'))).toMatchObject({ document: null });
  });
});
