/** The read API as its own document describes it: records, figures, own predictions, and what is refused. */

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { recordBodySchema, recordText } from '#domain/record/ledger.ts';
import { scoreRecord } from '#domain/record/score-record.ts';
import { asOwner, type Database } from '../../server/platform/database.ts';
import {
  aBaselineTable,
  FIRST_SLOT_S,
  insertRecords,
  type MadeRecords,
  makeRecords,
  outcomeOf,
} from '../../server/record/made-up-records.ts';
import { describeOneDatabase } from '../support/each-database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { apiCalls, documentedBy, readApiServer, savePrediction } from './support-read-api.ts';

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
const predictionsSchema = z.object({
  predictions: z.array(z.looseObject({ id: z.string() })),
  next: z.nullable(z.string()),
});

describeOneDatabase('the read API', (kind) => {
  const world = openedForTests(openWorld);
  const server = () => world().server;
  const { newKey, ask } = apiCalls(server);
  const seqsOf = (body: unknown) => recordsSchema.parse(body).records.map(({ record }) => record.seq);
  const idsOf = (body: unknown) => predictionsSchema.parse(body).predictions.map(({ id }) => id);

  /** Three slots of four symbols and three models, 36 records; the first slot scored, one of it void; and three of another market. */
  async function openWorld() {
    const started = await readApiServer(kind);
    const made = makeRecords({ slots: 3 });
    await insertRecords(started.database, made);
    const last = { seq: made.bodies.length, hash: made.hashes.at(-1) ?? '' };
    await insertRecords(
      started.database,
      makeRecords({ syms: ['BTCUSDT.P'], market: 'simulated', firstSlotS: FIRST_SLOT_S + 900, after: last }),
    );
    await scoreFirst(started.database, made, 12);
    const [ada, bob] = [await started.user(), await started.user()];
    const { newKey: keyOf } = apiCalls(() => started);
    const saved = [];
    for (const minute of ['10:00', '10:01', '10:02'])
      saved.push(
        await savePrediction(started.database, {
          userId: ada.id,
          savedAt: `2026-11-20T${minute}:00.123456Z`,
          isVoid: minute === '10:01',
        }),
      );
    await savePrediction(started.database, { userId: bob.id });
    const documented = await documentedBy(started);
    return {
      ...{
        server: started,
        made,
        ada,
        bob,
        saved,
        documented,
        key: (await keyOf(ada)).key,
        bobsKey: (await keyOf(bob)).key,
      },
      close: () => started.close(),
    };
  }

  test('every address answers, and refuses, what its document says', async () => {
    const { key, documented, made } = world();
    expect(documented.paths).toHaveLength(6);

    for (const path of documented.paths) {
      for (const query of [
        '',
        `?${SPAN}`,
        '?from=2026-11-20&to=2026-11-21',
        '?period=7d',
        '?limit=3',
        '?nothing=1',
        '?from=never',
        '?key=1',
        '?limit=0',
      ])
        for (const sent of [key, null, 'kat_wrong']) {
          const answer = await ask(`${path}${query}`, sent);
          expect([path, query, answer.status, documented(`${path}${query}`, answer)]).toEqual([
            path,
            query,
            answer.status,
            null,
          ]);
        }
      expect(await ask(path, key, { method: 'POST' })).toMatchObject({
        status: 405,
        body: { code: 'request/method-not-allowed' },
      });
      expect(documented(path, await ask(path, key, { method: 'DELETE' }))).toBeNull();
    }
    const whole = await ask(`/records?${SPAN}&limit=1000`, key);
    expect(documented('/records', whole)).toBeNull();
    expect(seqsOf(whole.body)).toHaveLength(made.bodies.length);
  });

  test('its document finds what is not as it says', async () => {
    const { key, documented } = world();
    const answer = await ask(`/records?${SPAN}`, key);

    expect(
      documented('/records', { ...answer, text: answer.text.replace('"state":"known"', '"state":"good"') }),
    ).toContain('records.0.state');
    expect(documented('/records', { ...answer, text: answer.text.replace('"slot":', '"slots":') })).not.toBeNull();
    expect(documented('/records', { ...answer, status: 418 })).toContain('not documented');
    expect(documented('/nowhere', answer)).toContain('not documented');
  });

  test('records come oldest first, to the byte, with score, void reason or nothing yet', async () => {
    const { key, made } = world();
    const { body } = await ask(`/records?${SPAN}&limit=1000`, key);
    const { records, next } = recordsSchema.parse(body);

    expect(records.map(({ text }) => text)).toEqual(made.texts);
    expect(records.map(({ record }) => recordText(record))).toEqual(made.texts);
    expect(records.map(({ hash }) => hash)).toEqual(made.hashes);
    expect(records.map(({ state }) => state)).toEqual(
      made.bodies.map(({ seq }) => (seq > 12 ? 'waiting' : seq === 12 ? 'void' : 'known')),
    );
    expect(records[0]?.score).toEqual(scoreOf(made, 0));
    expect(records[11]).toMatchObject({ voidReason: 'candles-missing', score: null });
    expect(next).toBeNull();
  });

  test('pages join without a gap and without a record twice, also where they end with the last record', async () => {
    const { key, made } = world();
    for (const limit of [1, 7, 12, 35, 36, 37]) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const answer = await ask(`/records?${SPAN}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`, key);
        seen.push(...seqsOf(answer.body));
        cursor = recordsSchema.parse(answer.body).next;
      } while (cursor !== null);
      expect([limit, seen]).toEqual([limit, made.bodies.map(({ seq }) => seq)]);
    }
  });

  test('filters leave out all else; times are those of issue, the end not included', async () => {
    const { key, made } = world();
    const second = made.bodies[12]?.issued ?? 0;
    const cases: [string, number[]][] = [
      [
        `${SPAN}&sym=ETHUSDT.P&model=lion`,
        made.bodies.filter(({ sym, model }) => sym === 'ETHUSDT.P' && model === 'lion').map(({ seq }) => seq),
      ],
      [`${SPAN}&role=shadow`, []],
      [`${SPAN}&market=simulated`, [37, 38, 39]],
      [`from=${FROM}&to=${new Date(second).toISOString()}`, made.bodies.slice(0, 12).map(({ seq }) => seq)],
      [
        `from=${new Date(second).toISOString()}&to=${new Date(second + 1).toISOString()}`,
        made.bodies.slice(12, 24).map(({ seq }) => seq),
      ],
      ['from=2025-11-12&to=2025-11-13', made.bodies.map(({ seq }) => seq)],
      ['', []],
    ];
    for (const [query, seqs] of cases) {
      const answer = await ask(`/records?${query}&limit=1000`, key);
      expect([query, seqsOf(answer.body)]).toEqual([query, seqs]);
    }
  });

  test('the rows of a day are the same records, one row for each scored bar', async () => {
    const { key, made } = world();
    const answer = await ask('/records.csv?from=2025-11-12&model=lion', key);
    const rows = answer.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));

    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain('kat-records.csv');
    expect(rows).toHaveLength(1 + 12 * 5);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(rows.slice(1).map(([seq]) => Number(seq))).toEqual(
      made.bodies.filter(({ model }) => model === 'lion').flatMap(({ seq }) => [seq, seq, seq, seq, seq]),
    );
    expect(await ask('/records.csv?from=2025-11-12&to=2025-11-14', key)).toMatchObject({
      status: 400,
      body: { details: { mostDays: 1 } },
    });
  });

  test('the figures have a tag, and whoever has them already is told so', async () => {
    const { key } = world();
    const first = await ask('/summary?period=30d&market=simulated', key);
    expect(first.body).toMatchObject({ period: '30d', market: 'simulated', counts: { issued: 0 } });

    // Made again at each question until there is a stored one: what is stored is the same twice.
    await asOwner(server().database).query(
      "insert into private.track_summaries (market_kind, period, summary) values ('simulated', '30d', $1::text::jsonb)",
      [first.text],
    );
    const stored = await ask('/summary?period=30d&market=simulated', key);
    const again = await ask('/summary?period=30d&market=simulated', key, {
      headers: { 'if-none-match': stored.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get('ratelimit-remaining')).not.toBeNull();
  });

  test('own predictions come newest first with what came of them, page by page', async () => {
    const { key, saved } = world();
    const newestFirst = saved.toReversed();
    const whole = await ask('/predictions', key);

    expect(idsOf(whole.body)).toEqual(newestFirst);
    expect(whole.body).toMatchObject({
      predictions: [
        { coin: 'BTC', model: 'Bobcat (Kat 1)', outcome: { state: 'waiting' } },
        { outcome: { state: 'void', reason: 'candles-gone' } },
        {},
      ],
    });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await ask(`/predictions?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`, key);
      seen.push(...idsOf(body));
      cursor = predictionsSchema.parse(body).next;
    } while (cursor !== null);
    expect(seen).toEqual(newestFirst);
    expect(idsOf((await ask('/predictions?from=2026-11-20T10:01:00Z&to=2026-11-20T10:02:00Z', key)).body)).toEqual([
      saved[1],
    ]);
  });

  test('nobody reads another’s predictions, by no parameter and no cursor', async () => {
    const { key, bobsKey, ada, saved } = world();
    const [cursor] = [predictionsSchema.parse((await ask('/predictions?limit=1', key)).body).next];

    expect(idsOf((await ask('/predictions', bobsKey)).body)).toHaveLength(1);
    expect(
      idsOf((await ask(`/predictions?cursor=${cursor}`, bobsKey)).body).filter((id) => saved.includes(id)),
    ).toEqual([]);
    for (const query of [`user_id=${ada.id}`, `id=${saved[0]}`, `userId=${ada.id}`])
      expect(await ask(`/predictions?${query}`, bobsKey)).toMatchObject({
        status: 400,
        body: { details: { problem: 'unknown' } },
      });
    const rows = (await ask('/predictions.csv', bobsKey)).text;
    expect(saved.filter((id) => rows.includes(id))).toEqual([]);
    expect((await ask('/predictions.csv', key)).text).toContain(saved[0]);
  });

  test('a name that a spreadsheet would run is text in the rows', async () => {
    const user = await server().user();
    const { key } = await newKey(user, { name: '=HYPERLINK("x")' });
    for (const coin of ['=1+1', '@SUM(A1)', '-2+3', '+1', '=cmd|"/C calc"!A0'])
      await savePrediction(server().database, { userId: user.id, coin });

    const { text } = await ask('/predictions.csv', key);
    const coins = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);

    expect(new Set(coins)).toEqual(new Set(["'=1+1", "'@SUM(A1)", "'-2+3", "'+1", '"\'=cmd|""/C calc""!A0"']));
    expect(text).not.toContain('HYPERLINK');
  });

  test('what is no parameter value is refused by name, and never reaches the database', async () => {
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
    for (const path of ['/records', '/records.csv', '/summary', '/predictions', '/predictions.csv', '/me'])
      for (const name of ['from', 'to', 'sym', 'model', 'role', 'market', 'cursor', 'limit', 'period', 'user'])
        for (const value of bad.slice(0, path === '/records' ? bad.length : 3)) {
          const query = `${path}?${name}=${encodeURIComponent(value)}`;
          const answer = await ask(query, key);
          expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'request/invalid']);
          expect(documented(path, answer)).toBeNull();
        }
    expect(await ask('/records?limit=1&limit=2', key)).toMatchObject({
      status: 400,
      body: { details: { parameter: 'limit', problem: 'repeated' } },
    });
    expect(await ask('/records?from=2025-11-12&to=2025-11-12', key)).toMatchObject({ status: 400 });
    expect(await ask('/records?from=2025-10-01&to=2025-11-12', key)).toMatchObject({
      status: 400,
      body: { details: { mostDays: 31 } },
    });
  });

  test('a cursor that was tampered with is refused, or leads nowhere but to what may be read', async () => {
    const { key, bobsKey, made } = world();
    expect(seqsOf((await ask(`/records?${SPAN}&cursor=999999999999999`, key)).body)).toEqual([]);
    expect(
      seqsOf(
        (await ask(`/records?from=${new Date(made.bodies[12]?.issued ?? 0).toISOString()}&cursor=1`, key)).body,
      )[0],
    ).toBe(13);
    const uuid = '00000000-0000-4000-8000-000000000000';
    for (const cursor of [
      'x',
      '1',
      `1-${uuid}x`,
      `-1-${uuid}`,
      `1' or true-${uuid}`,
      `${'9'.repeat(20)}-${uuid}`,
      `1-${uuid.toUpperCase().replaceAll('0', 'G')}`,
    ])
      expect([cursor, (await ask(`/predictions?cursor=${encodeURIComponent(cursor)}`, bobsKey)).status]).toEqual([
        cursor,
        400,
      ]);
    expect(idsOf((await ask(`/predictions?cursor=${'9'.repeat(17)}-${uuid}`, bobsKey)).body)).toHaveLength(1);
  });

  test('the document is for everyone, says OpenAPI 3.1, and knows each parameter', async () => {
    const answer = await ask('/openapi.json', null);
    expect(answer.body).toMatchObject({
      openapi: '3.1.0',
      components: { securitySchemes: { key: { scheme: 'bearer' } } },
    });
    expect(answer.text).toContain('"maximum":1000');
    for (const { sym } of SYMBOLS) expect(answer.text).toContain(`"${sym}"`);
    expect(
      (await ask('/openapi.json', null, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })).status,
    ).toBe(304);
  });
});

describeOneDatabase('the limits of a key', (kind) => {
  const keyLimits = { minute: { points: 3, perS: 2 }, day: { points: 5, perS: 86_400 } };
  const server = openedForTests(() => readApiServer(kind, { keyLimits }));
  const { newKey, ask } = apiCalls(server);

  test('what is left is told in headers; what is too much is refused in words until the window is over, then by the day', async () => {
    const user = await server().user();
    const [{ key }, { key: second }] = [await newKey(user), await newKey(user)];
    const leftOf = async (sent: string) => {
      const { status, headers } = await ask('/me', sent);
      return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), headers.get('retry-after')];
    };

    expect([await leftOf(key), await leftOf(key), await leftOf(key)]).toEqual([
      [200, '3', '2', null],
      [200, '3', '1', null],
      [200, '3', '0', null],
    ]);
    const refused = await ask('/me', key);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'request/too-many', error: 'Too many requests', details: { window: 'minute' } },
    });
    expect(refused.headers.get('ratelimit-policy')).toBe('3;w=2, 5;w=86400');
    expect((await documentedBy(server()))('/me', refused)).toBeNull();
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(2);
    // Another key of the same user counts for itself; what is not a key counts for nobody.
    expect((await ask('/me', second)).status).toBe(200);
    await ask('/me', null);

    await new Promise((done) => setTimeout(done, waitS * 1000 + 100));
    expect(await leftOf(key)).toEqual([200, '5', '1', null]);
    expect((await ask('/records?limit=0', key)).headers.get('ratelimit-remaining')).toBe('0');
    const ofDay = await ask('/me', key);
    expect(ofDay).toMatchObject({ status: 429, body: { details: { window: 'day' } } });
    expect(Number(ofDay.headers.get('retry-after'))).toBeGreaterThan(80_000);
  });
});

describeOneDatabase('the cost of rows', (kind) => {
  const keyLimits = { minute: { points: 25, perS: 60 }, day: { points: 5000, perS: 86_400 } };
  const server = openedForTests(() => readApiServer(kind, { keyLimits }));
  const { newKey, ask } = apiCalls(server);

  test('is that of ten questions', async () => {
    const { key } = await newKey(await server().user());
    const left = async (path: string) => (await ask(path, key)).headers.get('ratelimit-remaining');

    expect([await left('/records'), await left('/records.csv'), await left('/predictions.csv')]).toEqual([
      '24',
      '14',
      '4',
    ]);
    expect(await ask('/records.csv', key)).toMatchObject({ status: 429, body: { details: { window: 'minute' } } });
  });
});

function scoreOf(made: MadeRecords, at: number): object {
  const body = made.bodies[at];
  if (body === undefined) throw new Error('no such record');
  return scoreRecord(body, outcomeOf(made, body), aBaselineTable());
}

/** The last of them is void. */
async function scoreFirst(database: Database, made: MadeRecords, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const isVoid = at === count - 1;
    await asOwner(database).query(
      'insert into private.track_scores (seq, state, void_reason, score) values ($1::bigint, $2::text, $3::text, $4::text::jsonb)',
      [
        at + 1,
        isVoid ? 'void' : 'known',
        isVoid ? 'candles-missing' : null,
        isVoid ? null : JSON.stringify(scoreOf(made, at)),
      ],
    );
  }
}
