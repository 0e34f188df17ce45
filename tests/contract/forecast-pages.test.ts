/** Who sees which forecast on its page, in its picture, its files and its embed, and what a crowd on one page costs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import { houseForecastId } from '#domain/share/forecast-id.ts';
import { releaseStore } from '../../server/market/calendar/release-store.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import {
  FIRST_SLOT_S,
  type GeneratedRecords,
  insertRecords,
  makeRecords,
} from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import {
  documentOf,
  type ForecastPagesWorld,
  insertDocuments,
  ORIGIN,
  openForecastPages,
  savePrediction,
  withDocument,
} from './support/data/forecast-pages.ts';

const FORMS = (id: string) => [
  ...[`/f/${id}`, `/f/${id}.json`, `/f/${id}.csv`, `/f/${id}.png`, `/f/${id}.png?shape=square&theme=light`],
  ...[`/embed/f/${id}`, `/oembed?url=${encodeURIComponent(`${ORIGIN}/f/${id}`)}`],
];

// On one kind by day: a page reads rows by their key.
describeBothAtNight('pages of forecasts', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let world: ForecastPagesWorld;
  let records: GeneratedRecords;

  beforeEach(async () => {
    await emptyRecord(database());
    await asOwner(database()).query('delete from private.track_documents', []);
    world = openForecastPages(database());
    records = makeRecords({ slots: 1, syms: ['BTCUSDT.P', 'ETHUSDT.P'], change: withDocument });
    await insertRecords(database(), records);
    await insertDocuments(database(), records);
    world.candles = records.candles;
    world.nowMs = (FIRST_SLOT_S + 20 * 60) * 1000;
  });

  const bodyOf = (sym: string, model: string): RecordBody =>
    records.bodies.find((body) => body.sym === sym && body.model === model) ?? fail();
  const idOf = (body: RecordBody): string => houseForecastId(body.seq, records.hashes[body.seq - 1] ?? '');
  const text = async (path: string): Promise<string> => (await world.get(path)).text();

  async function sharedPrediction(): Promise<{ userId: string; id: string; path: string }> {
    const { id: userId } = await createDatabaseUser(database(), `${randomUUID()}@example.com`);
    const real = (records.candles.get('BTCUSDT.P') ?? []).filter(({ time }) => time < FIRST_SLOT_S).slice(-150);
    const path = real.slice(-50).map((candle, i): Candle => ({ ...candle, time: FIRST_SLOT_S + i * 60 }));
    const id = await savePrediction(database(), userId, { history: real, path });
    const answer = await world.call('share-prediction', userId, { id });
    return { userId, id, path: String(answer.path) };
  }

  const ban = (userId: string, untilMs: number) =>
    asOwner(database()).query('update auth.users set banned_until = $2::text::timestamptz where id = $1::text::uuid', [
      userId,
      new Date(untilMs).toISOString(),
    ]);

  test('show of a running forecast of a paid model its seal and when it opens, in every form', async () => {
    const body = bodyOf('BTCUSDT.P', 'lion');
    const id = idOf(body);

    const everything = (await Promise.all(FORMS(id).map(text))).join('\n');

    const drawn = documentOf(body).match(/\d{4,}\.\d+/g) ?? [];
    expect(drawn.length).toBeGreaterThan(50);
    for (const secret of [...drawn, body.close, Number(body.close).toLocaleString('en-US'), String(body.rv)])
      expect(everything.includes(secret), secret).toBe(false);
    expect(everything).toContain(records.hashes[body.seq - 1]);
    expect(everything).toContain('15:50 UTC');
    expect(everything).not.toContain('<path class="band80"');
    expect(world.ordered.map(({ view }) => [view.state, view.content])).toEqual([
      ['sealed', null],
      ['sealed', null],
    ]);
    expect(JSON.parse(await text(`/f/${id}.json`))).not.toHaveProperty('band');
  });

  test('open a sealed forecast the moment its last bar closes', async () => {
    const body = bodyOf('ETHUSDT.P', 'bobcat');
    const stateNow = async () => JSON.parse(await text(`/f/${idOf(body)}.json`)).state;

    world.nowMs = revealTimeS(body) * 1000 - 1000;
    expect(await stateNow()).toBe('sealed');
    world.nowMs += 1000;
    expect(await stateNow()).toBe('waiting');
    const page = await text(`/f/${idOf(body)}`);
    expect(page).toContain('<path class="band80"');
    expect(page).toContain('<path class="outcome"');
  });

  test('open the free shared forecast from the start, and no shadow model’s', async () => {
    const free = bodyOf('BTCUSDT.P', 'bobcat');
    expect(JSON.parse(await text(`/f/${idOf(free)}.json`))).toMatchObject({
      state: 'running',
      lastClose: Number(free.close),
      outcome: Array.from({ length: 20 }, (_, i) => ({ bar: i + 1 })),
    });

    const last = { seq: records.bodies.length, hash: records.hashes.at(-1) ?? '' };
    const [shadow, hash] = await (async () => {
      const plan = { syms: ['BTCUSDT.P'], models: ['bobcat'], role: 'shadow', after: last } as const;
      const issued = makeRecords(plan);
      await insertRecords(database(), issued);
      return [issued.bodies[0] ?? fail(), issued.hashes[0] ?? ''] as const;
    })();
    expect(JSON.parse(await text(`/f/${houseForecastId(shadow.seq, hash)}.json`)).state).toBe('sealed');
  });

  test('say what a house forecast knew of releases when it was issued, though one was moved since', async () => {
    const { learnAll } = releaseStore(database(), 'live');
    const body = bodyOf('BTCUSDT.P', 'bobcat');
    const covered = { fromS: FIRST_SLOT_S - 86_400, toS: FIRST_SLOT_S + 86_400 };
    const learn = (atMs: number, ...released: number[]) =>
      learnAll(
        { live: released.map((timeS) => ({ timeS, currency: 'USD', title: 'CPI m/m' })), covered, planned: [] },
        atMs,
      );
    await learn(body.issued - 1000, FIRST_SLOT_S, FIRST_SLOT_S + 1800);
    await learn(body.issued + 1000, FIRST_SLOT_S + 7200);

    const file = JSON.parse(await text(`/f/${idOf(body)}.json`));
    const release = { kind: 'inflation', title: 'CPI m/m', name: 'US CPI' };
    expect(file.releases).toEqual({
      list: [
        { at: '2025-11-12T15:00:00Z', ...release },
        { at: '2025-11-12T15:30:00Z', ...release },
      ],
      widthFactor: expect.any(Number),
      isComplete: true,
    });
    expect(file.releases.widthFactor).toBeGreaterThan(1.2);
    expect(await text(`/f/${idOf(body)}`)).toMatch(
      /Band \d\.\d times wider for US CPI at 15:00 UTC, US CPI at 15:30 UTC\./,
    );
    expect(JSON.parse(await text(`/f/${idOf(bodyOf('BTCUSDT.P', 'lion'))}.json`))).not.toHaveProperty('releases');
    await asOwner(database()).query('delete from private.releases', []);
    await asOwner(database()).query('delete from private.release_weeks', []);
  });

  test('lead a number alone to the page of its record, and refuse another hash', async () => {
    const { seq } = bodyOf('BTCUSDT.P', 'lion');
    const answer = await world.get(`/f/${seq}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/f/${idOf(bodyOf('BTCUSDT.P', 'lion'))}`]);
    expect((await world.get(`/f/${seq}-000000000000`)).status).toBe(404);
  });

  test('answer private, revoked, banned users’, unknown and malformed names alike, byte for byte', async () => {
    const { userId, id, path } = await sharedPrediction();
    const revoked = path.slice('/f/'.length);
    for (const form of FORMS(revoked)) expect((await world.get(form)).status, form).toBe(200);
    await world.call('unshare-prediction', userId, { id });
    const deleted = await sharedPrediction();
    await asOwner(database()).query('delete from public.user_predictions where id = $1::text::uuid', [deleted.id]);
    const banned = await sharedPrediction();
    for (const form of FORMS(banned.path.slice('/f/'.length))) await world.get(form);
    await ban(banned.userId, world.nowMs + 1000);

    const answersOf = (name: string) =>
      Promise.all(
        FORMS(name).map(async (form) => {
          const answer = await world.get(form);
          const headers = [...answer.headers].filter(([key]) => key !== 'x-request-id');
          return { status: answer.status, headers, body: await answer.text() };
        }),
      );
    const unknown = await answersOf(randomBytes(16).toString('hex'));
    expect(unknown.every(({ status }) => status === 404)).toBe(true);
    const formerly = [revoked, deleted.path.slice('/f/'.length), banned.path.slice('/f/'.length)];
    for (const name of [...formerly, id, '999999-0a1b2c3d4e5f', 'x', '%00', "1' or true"])
      expect(await answersOf(name), name).toEqual(unknown);
  });

  test('show a shared forecast again once its owner’s ban is over, under the same link', async () => {
    const { userId, path } = await sharedPrediction();
    const eTag = (await world.get(path)).headers.get('etag') ?? '';
    await ban(userId, world.nowMs + 1000);
    expect((await world.get(path, { 'if-none-match': eTag })).status).toBe(404);

    world.nowMs += 1000;

    expect((await world.get(path)).status).toBe(200);
  });

  test('look an unknown token up in the same statement as a revoked one, and read no more of either', async () => {
    const { userId, id, path } = await sharedPrediction();
    await world.get(path);
    await world.call('unshare-prediction', userId, { id });
    const lookup = async (name: string) => {
      const before = { ...world.loads };
      world.lookups.length = 0;
      await world.get(`/f/${name}`);
      return { statements: world.lookups.map((one) => one.replaceAll(name, 'TOKEN')), loads: world.loads, before };
    };

    const [revoked, unknown] = [await lookup(path.slice(3)), await lookup('ab'.repeat(16))];

    expect(revoked.statements).toHaveLength(1);
    expect(revoked.statements).toEqual(unknown.statements);
    expect([revoked.loads, unknown.loads]).toEqual([revoked.before, unknown.before]);
  });

  test('forget a revoked link immediately although its page was drawn, and never revive it', async () => {
    const { userId, id, path } = await sharedPrediction();
    expect((await world.get(path)).headers.get('cache-control')).toBe('private, no-cache');
    const eTag = (await world.get(path)).headers.get('etag') ?? '';
    expect((await world.get(path, { 'if-none-match': eTag })).status).toBe(304);

    await world.call('unshare-prediction', userId, { id });

    expect((await world.get(path, { 'if-none-match': eTag })).status).toBe(404);
    const again = await world.call('share-prediction', userId, { id });
    expect(again.path).not.toBe(path);
    expect([(await world.get(path)).status, (await world.get(String(again.path))).status]).toEqual([404, 200]);
  });

  test('let only its owner share and revoke a prediction, once for every call', async () => {
    const { userId, id, path } = await sharedPrediction();
    const { id: other } = await createDatabaseUser(database(), `${randomUUID()}@example.com`);
    const refused = { code: 'share/no-such-prediction' };

    await expect(world.call('share-prediction', other, { id })).rejects.toMatchObject(refused);
    await expect(world.call('unshare-prediction', other, { id })).rejects.toMatchObject(refused);
    await expect(world.call('share-prediction', userId, { id: randomUUID() })).rejects.toMatchObject(refused);
    const paths = await Promise.all(Array.from({ length: 10 }, () => world.call('share-prediction', userId, { id })));
    expect(new Set(paths.map((answer) => answer.path))).toEqual(new Set([path]));
    expect((await world.get(path)).status).toBe(200);
  });

  test('read and draw once for a thousand simultaneous requests', async () => {
    const { path } = await sharedPrediction();
    world.loads.predictions = 0;
    const answers = await Promise.all(Array.from({ length: 1000 }, () => world.get(path)));
    const pictures = await Promise.all(Array.from({ length: 1000 }, () => world.get(`${path}.png`)));

    expect(new Set([...answers, ...pictures].map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect([world.loads.predictions, world.ordered.length]).toEqual([1, 1]);
  });

  test('may be framed by other sites as embeds alone, which run nothing', async () => {
    const id = idOf(bodyOf('BTCUSDT.P', 'bobcat'));
    const policyOf = async (path: string) => {
      const { headers } = await world.get(path);
      return [headers.get('content-security-policy') ?? '', headers.get('x-frame-options'), headers.get('set-cookie')];
    };

    const [policy = '', older, cookie] = await policyOf(`/embed/f/${id}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toContain('script-src');
    expect([older, cookie]).toEqual([null, null]);
    for (const path of [`/f/${id}`, '/f/x', `/f/${id}.json`, '/oembed']) {
      const [own, frames] = await policyOf(path);
      expect([own?.includes("frame-ancestors 'none'"), frames], path).toEqual([true, 'DENY']);
    }
    const embed = await text(`/embed/f/${id}`);
    expect(embed).not.toMatch(/<script|src=|url\(\/assets/);
  });

  test('describe a page to other sites, and refuse addresses that are not ours', async () => {
    const id = idOf(bodyOf('BTCUSDT.P', 'lion'));
    const of = (url: string, more = '') => world.get(`/oembed?url=${encodeURIComponent(url)}${more}`);

    expect(await (await of(`${ORIGIN}/f/${id}`, '&maxwidth=320')).json()).toMatchObject({
      version: '1.0',
      type: 'rich',
      width: 320,
      height: 480,
      html: expect.stringContaining(`<iframe src="${ORIGIN}/embed/f/${id}" width="320"`),
    });
    expect((await of(`${ORIGIN}/embed/latest`)).status).toBe(200);
    expect((await of('http://elsewhere.example/f/1')).status).toBe(400);
    expect((await of(`${ORIGIN}/f/${id}`, '&format=xml')).status).toBe(400);
  });

  test('refuse more new pictures than an address may order, and still serve the drawn ones', async () => {
    const bodies = makeRecords({
      slots: 8,
      firstSlotS: FIRST_SLOT_S - 3600,
      syms: ['SOLUSDT.P', 'DOGEUSDT.P', 'BTCUSDT.P', 'ETHUSDT.P'],
      after: { seq: records.bodies.length, hash: records.hashes.at(-1) ?? '' },
      change: (body) => ({ issued: Math.max(body.issued, (FIRST_SLOT_S + 60) * 1000) }),
    });
    await insertRecords(database(), bodies);
    const ids = bodies.bodies.map(({ seq }, i) => houseForecastId(seq, bodies.hashes[i] ?? ''));
    const statuses: number[] = [];
    for (const id of ids.slice(0, 61)) statuses.push((await world.get(`/f/${id}.png`)).status);

    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
    expect((await world.get(`/f/${ids[0]}.png`)).status).toBe(200);
  });
});

function fail(): never {
  throw new Error('there is no such record');
}
