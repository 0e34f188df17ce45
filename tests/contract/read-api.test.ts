/** The read API as its own document describes it: records, figures, and refusals. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { recordBodySchema, recordText } from '#domain/record/ledger/ledger.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import {
  aBaselineTable,
  FIRST_SLOT_S,
  type GeneratedRecords,
  insertRecords,
  makeRecords,
  outcomeOf,
  RECORDS_A_SLOT,
} from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { apiCalls, documentedBy, readApiServer, savePrediction } from './support/data/read-api.ts';

const HOUR_MS = 3_600_000;
const FROM = new Date(FIRST_SLOT_S * 1000).toISOString();
const SPAN = `from=${FROM}&to=${new Date(FIRST_SLOT_S * 1000 + HOUR_MS).toISOString()}`;

const recordsSchema = z.object({
  records: z.array(
    z.object({
      hash: z.string(),
      text: z.string(),
      record: recordBodySchema,
      state: z.string(),
      voidReason: z.nullable(z.string()),
      score: z.unknown(),
    }),
  ),
  next: z.nullable(z.string()),
});
describeOneDatabase('the read API', (kind) => {
  const world = openedForTests(openWorld);
  const server = () => world().server;
  const { request } = apiCalls(server);
  const seqsOf = (body: unknown) => recordsSchema.parse(body).records.map(({ record }) => record.seq);

  /** Three slots, the first scored with one void record, and one slot of another market. */
  async function openWorld() {
    const started = await readApiServer(kind);
    const generated = makeRecords({ slots: 3 });
    await insertRecords(started.database, generated);
    const last = { seq: generated.bodies.length, hash: generated.hashes.at(-1) ?? '' };
    await insertRecords(
      started.database,
      makeRecords({ syms: ['BTCUSDT.P'], market: 'simulated', firstSlotS: FIRST_SLOT_S + 900, after: last }),
    );
    await scoreFirst(started.database, generated, RECORDS_A_SLOT);
    const running = await insertRunning(started.database, last.seq + MODEL_NAMES.length);
    const ada = await started.confirmedUser();
    for (const isVoid of [false, true]) await savePrediction(started.database, { userId: ada.id, isVoid });
    const documented = await documentedBy(started);
    const { key } = await apiCalls(() => started).newKey(ada);
    return {
      server: started,
      generated,
      running,
      documented,
      key,
      close: () => started.close(),
    };
  }

  test('answers and refuses at every address as its document says', async () => {
    const { key, documented, generated } = world();
    expect(documented.paths).toHaveLength(17);

    // Streams of events have separate tests: they do not end.
    for (const template of documented.paths.filter((path) => !['/events', '/chances/live'].includes(path))) {
      const path = template.replace('{id}', '1');
      for (const query of [
        '',
        `?${SPAN}`,
        '?from=2026-11-20&to=2026-11-21',
        '?period=7d',
        '?window=15',
        '?limit=3',
        '?nothing=1',
        '?from=never',
        '?key=1',
        '?limit=0',
      ])
        for (const sent of [key, null, 'kat_wrong']) {
          const answer = await request(`${path}${query}`, sent);
          expect([path, query, answer.status, documented(`${path}${query}`, answer)]).toEqual([
            path,
            query,
            answer.status,
            null,
          ]);
        }
      expect(await request(path, key, { method: 'POST' })).toMatchObject({
        status: 405,
        body: { code: 'request/method-not-allowed' },
      });
      expect(documented(path, await request(path, key, { method: 'DELETE' }))).toBeNull();
    }
    const whole = await request(`/records?${SPAN}&limit=1000`, key);
    expect(documented('/records', whole)).toBeNull();
    expect(seqsOf(whole.body)).toHaveLength(generated.bodies.length);
  });

  test("shows a running record's hash, key and time, but none of its content", async () => {
    const { key, running, documented } = world();
    const [body, hash] = [running.bodies[0], running.hashes[0]];
    const slot = new Date((body?.slot ?? 0) * 1000).toISOString();
    const span = `from=${slot}&to=${new Date(Date.parse(slot) + 300_000).toISOString()}`;

    const answer = await request(`/records?${span}`, key);
    // Without a span the last day is used.
    expect((await request('/records', key)).body.records).toEqual(answer.body['records']);
    const rows = await request(`/records.csv?${span}`, key);

    expect(documented('/records', answer)).toBeNull();
    expect(answer.body['records']).toEqual([
      { hash, text: null, record: null, state: 'sealed', voidReason: null, score: null, sealed: expect.anything() },
    ]);
    expect(rows.text).toContain(',sealed,');
    for (const text of [answer.text, rows.text])
      for (const secret of [body?.document, String(body?.rv), body?.path.join()]) expect(text).not.toContain(secret);
  });

  test('detects answers that differ from the document', async () => {
    const { key, documented } = world();
    const answer = await request(`/records?${SPAN}`, key);

    expect(
      documented('/records', { ...answer, text: answer.text.replace('"state":"known"', '"state":"good"') }),
    ).toContain('records.0.state');
    expect(documented('/records', { ...answer, text: answer.text.replace('"slot":', '"slots":') })).not.toBeNull();
    expect(documented('/records', { ...answer, status: 418 })).toContain('not documented');
    expect(documented('/nowhere', answer)).toContain('not documented');
  });

  test('returns records oldest first, byte for byte, with a score, a void reason or neither', async () => {
    const { key, generated } = world();
    const { body } = await request(`/records?${SPAN}&limit=1000`, key);
    const { records, next } = recordsSchema.parse(body);

    expect(records.map(({ text }) => text)).toEqual(generated.texts);
    expect(records.map(({ record }) => recordText(record))).toEqual(generated.texts);
    expect(records.map(({ hash }) => hash)).toEqual(generated.hashes);
    expect(records.map(({ state }) => state)).toEqual(
      generated.bodies.map(({ seq }) => (seq > RECORDS_A_SLOT ? 'waiting' : seq === RECORDS_A_SLOT ? 'void' : 'known')),
    );
    expect(records[0]?.score).toEqual(scoreOf(generated, 0));
    expect(records[RECORDS_A_SLOT - 1]).toMatchObject({ voidReason: 'candles-missing', score: null });
    expect(next).toBeNull();
  });

  test('joins pages without a gap or a duplicate, even where a page ends with the last record', async () => {
    const { key, generated } = world();
    const all = generated.bodies.length;
    for (const limit of [1, 7, RECORDS_A_SLOT, all - 1, all, all + 1]) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const answer = await request(
          `/records?${SPAN}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
          key,
        );
        seen.push(...seqsOf(answer.body));
        cursor = recordsSchema.parse(answer.body).next;
      } while (cursor !== null);
      expect([limit, seen]).toEqual([limit, generated.bodies.map(({ seq }) => seq)]);
    }
  });

  test('filters records by symbol, model, role, market and time of issue, end excluded', async () => {
    const { key, generated } = world();
    const second = generated.bodies[RECORDS_A_SLOT]?.issued ?? 0;
    const cases: [string, number[]][] = [
      [
        `${SPAN}&sym=ETHUSDT.P&model=lion`,
        generated.bodies.filter(({ sym, model }) => sym === 'ETHUSDT.P' && model === 'lion').map(({ seq }) => seq),
      ],
      [`${SPAN}&role=shadow`, []],
      [`${SPAN}&market=simulated`, MODEL_NAMES.map((_, i) => generated.bodies.length + 1 + i)],
      [
        `from=${FROM}&to=${new Date(second).toISOString()}`,
        generated.bodies.slice(0, RECORDS_A_SLOT).map(({ seq }) => seq),
      ],
      [
        `from=${new Date(second).toISOString()}&to=${new Date(second + 1).toISOString()}`,
        generated.bodies.slice(RECORDS_A_SLOT, 2 * RECORDS_A_SLOT).map(({ seq }) => seq),
      ],
      ['from=2025-11-12&to=2025-11-13', generated.bodies.map(({ seq }) => seq)],
    ];
    for (const [query, seqs] of cases) {
      const answer = await request(`/records?${query}&limit=1000`, key);
      expect([query, seqsOf(answer.body)]).toEqual([query, seqs]);
    }
  });

  test("returns a day's records as CSV, one row for each scored bar", async () => {
    const { key, generated } = world();
    const answer = await request('/records.csv?from=2025-11-12&model=lion', key);
    const rows = answer.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));

    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain('kat-records.csv');
    const ofLion = generated.bodies.filter(({ model }) => model === 'lion');
    expect(rows).toHaveLength(1 + 5 * ofLion.length);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(rows.slice(1).map(([seq]) => Number(seq))).toEqual(ofLion.flatMap(({ seq }) => [seq, seq, seq, seq, seq]));
    expect(await request('/records.csv?from=2025-11-12&to=2025-11-14', key)).toMatchObject({
      status: 400,
      body: { details: { mostDays: 1 } },
    });
  });

  test('returns figures with an ETag, and 304 when it matches', async () => {
    const { key } = world();
    const first = await request('/summary?period=30d&market=simulated', key);
    expect(first.body).toMatchObject({ period: '30d', market: 'simulated', counts: { issued: 0 } });

    // Computed for each request until one is stored; a stored summary is the same both times.
    await asOwner(server().database).query(
      "insert into private.track_summaries (market_kind, period, summary) values ('simulated', '30d', $1::text::jsonb)",
      [first.text],
    );
    const stored = await request('/summary?period=30d&market=simulated', key);
    const again = await request('/summary?period=30d&market=simulated', key, {
      headers: { 'if-none-match': stored.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get('ratelimit-remaining')).not.toBeNull();
  });

  test('refuses an invalid parameter by name, before it reaches the database', async () => {
    const { key, documented } = world();
    const bad = [
      "'; drop table private.track_records; --",
      "' or '1'='1",
      '$1',
      '\u0000',
      '%00',
      '../..',
      '[]',
      '{}',
      'null',
      '-1',
      '1e3',
      ' 1',
      '01',
      '9'.repeat(30),
      '٣',
      'a'.repeat(5000),
      '2026-13-40',
      '2026-11-20T25:00:00Z',
    ];
    for (const path of [
      '/records',
      '/records.csv',
      '/summary',
      '/chance-records',
      '/chance-summary',
      '/predictions',
      '/predictions.csv',
      '/me',
    ])
      for (const name of [
        'from',
        'to',
        'sym',
        'model',
        'role',
        'market',
        'cursor',
        'limit',
        'period',
        'window',
        'user',
      ])
        for (const value of bad.slice(0, path === '/records' ? bad.length : 3)) {
          const query = `${path}?${name}=${encodeURIComponent(value)}`;
          const answer = await request(query, key);
          expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'request/invalid']);
          expect(documented(path, answer)).toBeNull();
        }
    expect(await request('/records?limit=1&limit=2', key)).toMatchObject({
      status: 400,
      body: { details: { parameter: 'limit', problem: 'repeated' } },
    });
    expect(await request('/records?from=2025-11-12&to=2025-11-12', key)).toMatchObject({ status: 400 });
    expect(await request('/records?from=2025-10-01&to=2025-11-12', key)).toMatchObject({
      status: 400,
      body: { details: { mostDays: 31 } },
    });
  });

  test('returns only permitted records for a forged cursor', async () => {
    const { key, generated } = world();
    expect(seqsOf((await request(`/records?${SPAN}&cursor=999999999999999`, key)).body)).toEqual([]);
    expect(
      seqsOf(
        (
          await request(
            `/records?from=${new Date(generated.bodies[RECORDS_A_SLOT]?.issued ?? 0).toISOString()}&cursor=1`,
            key,
          )
        ).body,
      )[0],
    ).toBe(13);
  });

  test('serves its OpenAPI 3.1 document with each parameter to visitors', async () => {
    const answer = await request('/openapi.json', null);
    expect(answer.body).toMatchObject({
      openapi: '3.1.0',
      components: { securitySchemes: { key: { scheme: 'bearer' } } },
    });
    expect(answer.text).toContain('"maximum":1000');
    for (const { sym } of SYMBOLS) expect(answer.text).toContain(`"${sym}"`);
    expect(
      (await request('/openapi.json', null, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })).status,
    ).toBe(304);
  });
});

/** One record of the newest slot whose records are already issued: two seconds after its beginning. */
async function insertRunning(database: Database, seq: number): Promise<GeneratedRecords> {
  const [row] = await asOwner(database).query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from private.track_records where seq = ${seq}`,
  );
  const firstSlotS = Math.floor((Date.now() - 3000) / 300_000) * 300;
  const running = makeRecords({
    syms: ['BTCUSDT.P'],
    models: ['lion'],
    firstSlotS,
    after: { seq, hash: row?.hash ?? '' },
    change: () => ({ rv: 912_345_678 }),
  });
  await insertRecords(database, running);
  return running;
}

function scoreOf(generated: GeneratedRecords, at: number): object {
  const body = generated.bodies[at];
  if (body === undefined) throw new Error('no such record');
  return scoreRecord(body, outcomeOf(generated, body), aBaselineTable());
}

/** The last of them is void. */
async function scoreFirst(database: Database, generated: GeneratedRecords, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const isVoid = at === count - 1;
    await asOwner(database).query(
      'insert into private.track_scores (seq, state, void_reason, score) values ($1::bigint, $2::text, $3::text, $4::text::jsonb)',
      [
        at + 1,
        isVoid ? 'void' : 'known',
        isVoid ? 'candles-missing' : null,
        isVoid ? null : JSON.stringify(scoreOf(generated, at)),
      ],
    );
  }
}
