/** What strangers try on pages of forecasts: guessed names, the time of answers, the moment of opening, and odd oEmbed requests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candle.ts';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import { houseForecastId } from '#domain/share/forecast-id.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import {
  FIRST_SLOT_S,
  type GeneratedRecords,
  insertRecords,
  makeRecords,
} from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { nightTest } from '../support/run/night-test.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { guessedByTime, timedInTurns } from '../support/timing/compare-times.ts';
import {
  type ForecastPagesWorld,
  insertDocuments,
  ORIGIN,
  openForecastPages,
  savePrediction,
  withDocument,
} from './support/data/forecast-pages.ts';

const TIMED_CALLS = 400;
/** See guessedByTime. */
const GUESSED = 0.65;

describeOneDatabase('hostile requests for pages of forecasts', (kind) => {
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
  const real = (): Candle[] =>
    (records.candles.get('BTCUSDT.P') ?? []).filter(({ time }) => time < FIRST_SLOT_S).slice(-150);

  async function saved(): Promise<{ userId: string; id: string }> {
    const { id: userId } = await createDatabaseUser(database(), `${randomUUID()}@example.com`);
    const path = real()
      .slice(-50)
      .map((candle, i): Candle => ({ ...candle, time: FIRST_SLOT_S + i * 60 }));
    return { userId, id: await savePrediction(database(), userId, { history: real(), path }) };
  }

  async function sharedToken(one: { userId: string; id: string }): Promise<string> {
    const { path } = await world.call('share-prediction', one.userId, { id: one.id });
    return String(path).slice('/f/'.length);
  }

  // By day forecast-pages.test.ts compares the statements and answers of such names.
  nightTest(
    'distinguish no revoked, private or deleted prediction from one that never was by the time of an answer',
    async () => {
      const never = () => randomBytes(16).toString('hex');
      const revoked: string[] = [];
      const owned = await saved();
      for (let i = 0; i < TIMED_CALLS; i++) {
        revoked.push(await sharedToken(owned));
        await world.call('unshare-prediction', owned.userId, { id: owned.id });
      }
      const deleted = await saved();
      const deletedToken = await sharedToken(deleted);
      await asOwner(database()).query('delete from public.user_predictions where id = $1::text::uuid', [deleted.id]);
      const again = (name: string) => revoked.map(() => name);
      // Each once, and each again and again: what is remembered of a name may not differ either.
      const groups = [
        { unknown: revoked.map(never), revoked },
        { unknown: again(never()), revoked: again(revoked[0] ?? ''), deleted: again(deletedToken) },
      ];

      for (const names of groups.map((group) => new Map(Object.entries(group))))
        for (const form of ['', '.png', '.json']) {
          const times = await timedInTurns([...names.keys()], TIMED_CALLS, async (name, round) => {
            expect((await world.get(`/f/${names.get(name)?.[round]}${form}`)).status).toBe(404);
          });
          for (const name of ['revoked', 'deleted'].filter((one) => names.has(one)))
            expect(guessedByTime(times.unknown ?? [], times[name] ?? []), `${name}${form}`).toBeLessThan(GUESSED);
        }
      // An id is no name of a page, whether it exists or not.
      const none = randomUUID();
      const ids = await timedInTurns(['private', 'none'], TIMED_CALLS, (name) =>
        world.get(`/f/${name === 'private' ? owned.id : none}`),
      );
      expect(guessedByTime(ids.private, ids.none)).toBeLessThan(GUESSED);
    },
  );

  test('find no saved prediction for names guessed in sequence, and of the record what it publishes', async () => {
    const token = await sharedToken(await saved());
    const next = (step: bigint) => (BigInt(`0x${token}`) + step).toString(16).padStart(32, '0').slice(-32);
    const beside = Array.from({ length: 200 }, (_, i) => next(BigInt(i - 100))).filter((name) => name !== token);
    const found = await Promise.all(beside.map(async (name) => (await world.get(`/f/${name}`)).status));
    expect(new Set(found)).toEqual(new Set([404]));
    expect((await world.get(`/f/${token.toUpperCase()}`)).status).toBe(token === token.toUpperCase() ? 200 : 404);

    const most = records.bodies.length;
    for (let seq = 0; seq <= most + 3; seq++) {
      const answer = await world.get(`/f/${seq}`);
      expect([seq, answer.status]).toEqual([seq, seq >= 1 && seq <= most ? 302 : 404]);
      if (answer.status !== 302) continue;
      const view = viewSchema.parse(await (await world.get(`${answer.headers.get('location')}.json`)).json());
      const body = records.bodies[seq - 1] ?? fail();
      const isFree = body.sym === 'BTCUSDT.P' && body.model === 'bobcat';
      expect([seq, view.origin, view.state, view.band === undefined]).toEqual([
        ...[seq, 'house', isFree ? 'running' : 'sealed', !isFree],
      ]);
    }
  });

  test('answer all who come in the moment when a sealed forecast opens, each either sealed or whole', async () => {
    const body = bodyOf('ETHUSDT.P', 'lion');
    const paths = ['', '.json', '.png', '.csv'].map((form) => `/f/${idOf(body)}${form}`);
    const opensMs = revealTimeS(body) * 1000;
    world.nowMs = opensMs - 600;
    const answers = await Promise.all(paths.map((path) => world.get(path)));
    const pending: Promise<Response>[] = [];
    // The sealed view is made again twice a second: those who wait for it are decided by the clock of its end.
    for (let ms = -590; ms < 700; ms += 30) {
      world.nowMs = opensMs + ms;
      for (const path of paths) pending.push(world.get(path));
      await new Promise((resolve) => setImmediate(resolve));
    }
    answers.push(...(await Promise.all(pending)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const views = await Promise.all(
      answers.filter((_, i) => i % 4 === 1).map(async (one) => viewSchema.parse(await one.json())),
    );
    const states = views.map(({ state, band }) => `${state} ${band === undefined}`);
    expect(new Set(states)).toEqual(new Set(['sealed true', 'waiting false']));
    expect(states.lastIndexOf('sealed true')).toBeLessThan(states.lastIndexOf('waiting false'));
    expect(world.ordered.length).toBeLessThanOrEqual(2 * 4);
  });

  test('describe only pages of this site to other sites, whatever address they send', async () => {
    const id = idOf(bodyOf('BTCUSDT.P', 'bobcat'));
    const of = (url: string, more = '') => world.get(`/oembed?url=${encodeURIComponent(url)}${more}`);
    const statusOf = async (url: string) => (await of(url)).status;

    for (const url of [
      ...['', 'x', `//localhost/f/${id}`, `https://localhost/f/${id}`, `${ORIGIN}:81/f/${id}`, 'javascript:alert(1)'],
      ...[`http://localhost.evil.example/f/${id}`, `http://evil.example/?${ORIGIN}/f/${id}`, 'data:text/html,x'],
      ...[`http://localhost@evil.example/f/${id}`, 'file:///f/1', 'h'.repeat(8000)],
    ])
      expect([url.slice(0, 50), await statusOf(url)]).toEqual([url.slice(0, 50), 400]);
    for (const path of [
      ...['/', '/account', '/kat', '/f/', '/f/x', `/F/${id}`, `/f/${id}/`, `/f/${id}.png`, `/embed/f/${id}`, '/oembed'],
      ...['/f/%3Cscript%3E', '/f/"><script>', `/oembed?url=${encodeURIComponent(`${ORIGIN}/f/${id}`)}`, `/x/../f/x`],
    ])
      expect([path, await statusOf(ORIGIN + path)]).toEqual([path, 404]);

    const plain = await (await of(`${ORIGIN}/f/${id}`)).json();
    for (const url of [`${ORIGIN}/f/${id}?a="><script>`, `${ORIGIN}/f/${id}#x`, `http://a:b@localhost/f/${id}`])
      expect(await (await of(url)).json()).toEqual(plain);
    for (const size of ['0', '-1', '1e9', 'x', '"><script>', '9'.repeat(400)])
      expect(await (await of(`${ORIGIN}/f/${id}`, `&maxwidth=${encodeURIComponent(size)}`)).json()).toEqual(plain);
    expect(JSON.stringify(plain)).not.toContain('script');
  });

  test('let no shared cache store anything of a shared prediction, in any form', async () => {
    const token = await sharedToken(await saved());
    for (const path of [
      ...['', '.json', '.csv', '.png'].map((form) => `/f/${token}${form}`),
      `/embed/f/${token}`,
      `/oembed?url=${encodeURIComponent(`${ORIGIN}/f/${token}`)}`,
    ]) {
      const answer = await world.get(path);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([
        ...[path, 200, expect.stringMatching(/private|no-store/)],
      ]);
    }
  });
});

const viewSchema = z.object({ origin: z.string(), state: z.string(), band: z.optional(z.unknown()) });

function fail(): never {
  throw new Error('there is no such record');
}
