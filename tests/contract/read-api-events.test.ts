/** Server-sent events of the read API: issued forecasts and outcomes, resumed after a break, ended with the key. */
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { cursorOf } from '../../server/programs/events/event-cursor.ts';
import { chainOf, makeChances } from '../../server/record/testing/chance-fixtures.ts';
import { type GeneratedRecords, insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer, type WholeServer } from '../support/servers/whole-server.ts';
import { type EventReader, type ReadEvent, readEvents } from '../support/wire/event-reader.ts';
import { savePrediction } from './support/data/read-api.ts';
import { openProgramWorld, type Program } from './support/services/programs.ts';

const BTC = 'BTCUSDT.P';
const SECOND_US = 1_000_000;
/** Longer than the API waits before it reports an outcome. */
const SETTLED_S = 12;
const dataSchema = z.looseObject({ id: z.string() });

describeOneDatabase('events of the read API', (kind) => {
  const world = openedForTests(async () => {
    const opened = await openProgramWorld(kind, { modelsDir: '/nowhere' });
    const other = await startWholeServer(opened.database, { dataDir: opened.server.dataDir });
    return {
      ...opened,
      other,
      async close() {
        await other.close();
        await opened.close();
      },
    };
  });
  const database = () => world().database;
  const leaving: AbortController[] = [];
  let last = { seq: 0, hash: NO_HASH };
  let slots = 0;
  afterEach(() => {
    for (const one of leaving.splice(0)) one.abort();
  });

  /** A process that remembers nothing yet: outcomes dated back are read from the database. */
  async function withFresh(use: (fresh: WholeServer) => Promise<void>): Promise<void> {
    const fresh = await startWholeServer(database(), { dataDir: world().server.dataDir });
    try {
      await use(fresh);
    } finally {
      for (const one of leaving.splice(0)) one.abort();
      await fresh.close();
    }
  }

  /** Three records of one slot, as the house would write them. */
  async function issue(): Promise<GeneratedRecords> {
    const firstSlotS = Math.floor(Date.now() / 300_000) * 300 + 300 * slots++;
    const records = makeRecords({ slots: 1, syms: [BTC], market: 'simulated', firstSlotS, after: last });
    await insertRecords(database(), records);
    last = { seq: records.bodies.at(-1)?.seq ?? 0, hash: records.hashes.at(-1) ?? '' };
    return records;
  }

  /** A chance of a clock window, which is no forecast. */
  async function issueChance(): Promise<number> {
    const startS = Math.floor(Date.now() / 900_000) * 900 + 86_400;
    const { bodies, texts, hashes } = chainOf(makeChances({ startS, market: 'simulated' }), last);
    const [body, text, hash = ''] = [bodies[0], texts[0], hashes[0]];
    await asOwner(database()).query(
      `insert into private.track_records
         (seq, slot_s, window_min, sym, model, model_version, role, market_kind, issued_ms, body, hash)
       values ($1::bigint, $2::bigint, $3::int, $4::text, $5::text, $6::text, $7::text, $8::text, $9::bigint, $10::text,
               decode($11::text, 'hex'))`,
      [
        ...[body?.seq, body?.slot, body?.window, body?.sym, body?.model, body?.version, body?.role, body?.market],
        ...[body?.issued, text, hash],
      ],
    );
    last = { seq: body?.seq ?? 0, hash };
    return last.seq;
  }

  /** Dated back so that they are reported immediately, and later than every outcome scored before. */
  async function score(seqs: readonly (number | undefined)[]): Promise<void> {
    await asOwner(database()).query(
      `insert into private.track_scores (seq, state, void_reason, scored_at)
       select seq, 'void', 'candles-gone', now() - make_interval(secs => $2::float8) from unnest($1::bigint[]) as seq`,
      [[...seqs], SETTLED_S],
    );
  }

  async function connect(
    { key }: Program,
    lastEventId: string | null = null,
    query = '',
    { url } = world().server,
  ): Promise<Response> {
    const left = new AbortController();
    leaving.push(left);
    const headers = { authorization: `Bearer ${key}`, ...(lastEventId !== null && { 'last-event-id': lastEventId }) };
    return fetch(`${url}/api/v1/events${query}`, { headers, signal: left.signal });
  }

  /** The next events, without the first one of each stream. */
  async function take(reader: EventReader, count: number) {
    const events: (ReadEvent | null)[] = [];
    while (events.length < count) {
      const event = await reader.next();
      if (event?.event !== 'ready') events.push(event);
    }
    return events;
  }

  /** After all that is issued and scored so far, and before the owner's outcomes of the last minute. */
  const cursorOfNow = () => {
    const nowUs = Date.now() * 1000;
    return `${last.seq}-${nowUs - SETTLED_S * SECOND_US}-0-${nowUs - 60 * SECOND_US}`;
  };

  test('reports a forecast as it is issued, with its hash and without its content', async () => {
    const program = await world().program('free');
    const response = await connect(program);
    const reader = readEvents(response);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('ratelimit-remaining')).not.toBeNull();
    expect(await reader.next()).toMatchObject({ event: 'ready', data: { missedUntil: null } });
    const { bodies, hashes } = await issue();
    const events = await take(reader, 3);

    expect(events).toMatchObject(
      bodies.map(({ seq, model }, i) => ({
        event: 'forecast-issued',
        data: { id: String(seq), symbol: BTC, model, timeframe: '1min', market: 'simulated', hash: hashes[i] },
      })),
    );
    expect(events.map((event) => cursorOf(event?.id ?? '')?.seq)).toEqual(bodies.map(({ seq }) => seq));
    for (const body of bodies) expect(JSON.stringify(events)).not.toContain(body.close);
  });

  test('continues after the last event: each missed one once and in order, whatever the process', async () => {
    const program = await world().program('free');
    const before = cursorOfNow();
    const [first, second] = [await issue(), await issue()];
    const all = [...first.bodies, ...second.bodies].map(({ seq }) => String(seq));

    const seen: string[] = [];
    let after = before;
    const { server, other } = world();
    for (const [count, process] of [
      [1, server],
      [2, other],
      [3, server],
    ] as const) {
      const events = await take(readEvents(await connect(program, after, '', process)), count);
      for (const event of events) {
        seen.push(dataSchema.parse(event?.data).id);
        after = event?.id ?? '';
      }
      for (const one of leaving.splice(0)) one.abort();
    }

    expect(seen).toEqual(all);
  });

  test('reports outcomes of the record to everyone, and those of predictions to their owner only', async () => {
    const [ada, bob] = [await world().program('free'), await world().program('free')];
    const { bodies } = await issue();
    const cursor = cursorOfNow();
    await score(bodies.map(({ seq }) => seq));
    const savedAt = new Date(Date.now() - 30_000).toISOString();
    const id = await savePrediction(database(), { userId: ada.userId, savedAt, isVoid: true });

    const house = bodies.map(({ seq }) => ({
      event: 'outcome-known',
      data: { id: String(seq), owner: 'house', state: 'void', voidReason: 'candles-gone' },
    }));
    await withFresh(async (fresh) => {
      const toAda = await take(readEvents(await connect(ada, cursor, '', fresh)), 4);
      expect(toAda).toMatchObject([...house, { event: 'outcome-known', data: { id, owner: 'you', state: 'void' } }]);
      expect(await take(readEvents(await connect(ada, toAda[2]?.id ?? '', '', fresh)), 1)).toMatchObject([
        { data: { id } },
      ]);

      const reader = readEvents(await connect(bob, cursor, '', fresh));
      expect(await take(reader, 3)).toMatchObject(house);
      const { bodies: next } = await issue();
      expect(await take(reader, 1)).toMatchObject([{ data: { id: String(next[0]?.seq) } }]);
    });
  });

  test('passes over chances of clock windows, which are in the same chain', async () => {
    const program = await world().program('free');
    const cursor = cursorOfNow();
    const seq = await issueChance();
    await score([seq]);
    // The chain's time only rises.
    slots = 300;
    const records = await issue();
    await score([records.bodies[0]?.seq]);

    await withFresh(async (fresh) => {
      const events = await take(readEvents(await connect(program, cursor, '', fresh)), 4);
      expect(events).toMatchObject([
        ...records.bodies.map((body) => ({ event: 'forecast-issued', data: { id: String(body.seq) } })),
        { event: 'outcome-known', data: { id: String(records.bodies[0]?.seq) } },
      ]);
      const headers = { authorization: `Bearer ${program.key}` };
      expect((await fetch(`${world().server.url}/api/v1/forecasts/${seq}`, { headers })).status).toBe(404);
    });
  });

  test('filters by symbol, model and length of candle', async () => {
    const program = await world().program('free');
    const cursor = cursorOfNow();
    const { bodies } = await issue();
    const lion = bodies.find(({ model }) => model === 'lion');

    const reader = readEvents(await connect(program, cursor, '?model=lion'));
    expect(await take(reader, 1)).toMatchObject([
      { event: 'forecast-issued', data: { id: String(lion?.seq), model: 'lion' } },
    ]);
    expect((await connect(program, cursor, '?model=tiger')).status).toBe(400);
  });

  test('ends the stream of a revoked key with the reason, and refuses it afterwards', async () => {
    const program = await world().program('free');
    const reader = readEvents(await connect(program));
    expect(await reader.next()).toMatchObject({ event: 'ready' });
    await world().revoke(program);

    expect(await reader.next()).toMatchObject({ event: 'message', data: { code: 'api/key-revoked' } });
    expect(await reader.next()).toBeNull();
    expect((await connect(program, cursorOfNow())).status).toBe(401);
  });

  test.each([
    [
      'a banned user',
      ({ userId }: Program) => [
        "update auth.users set banned_until = now() + interval '1 day' where id = $1::text::uuid",
        userId,
      ],
      { code: 'auth/forbidden' },
    ],
    [
      'an expired key',
      ({ keyId }: Program) => ['update public.api_keys set expires_at = now() where id = $1::text::uuid', keyId],
      { code: 'api/key-expired' },
    ],
    [
      'a deleted account',
      ({ userId }: Program) => ['delete from auth.users where id = $1::text::uuid', userId],
      { code: 'api/bad-key' },
    ],
  ] as const)('ends the open stream of %s', async (_what, change, refusal) => {
    const program = await world().program('free');
    const reader = readEvents(await connect(program));
    expect(await reader.next()).toMatchObject({ event: 'ready' });
    const [statement = '', id] = change(program);
    await asOwner(database()).query(statement, [id]);

    expect(await reader.next()).toMatchObject({ event: 'message', data: refusal });
    expect(await reader.next()).toBeNull();
    expect((await connect(program, cursorOfNow())).status).toBeGreaterThanOrEqual(401);
  });

  test('gives nothing of another user for that user’s last id, and goes on from an id of the future', async () => {
    const [ada, bob] = [await world().program('free'), await world().program('free')];
    const cursor = cursorOfNow();
    const savedAt = new Date(Date.now() - 30_000).toISOString();
    const id = await savePrediction(database(), { userId: ada.userId, savedAt, isVoid: true });

    await withFresh(async (fresh) => {
      let own: ReadEvent | null | undefined = null;
      const reader = readEvents(await connect(ada, cursor, '', fresh));
      while (own?.data === undefined || dataSchema.parse(own.data).id !== id) [own] = await take(reader, 1);
      const [before, future] = [cursor, '999999999999999-9999999999999999-0-9999999999999999'];
      const readers = await Promise.all(
        [before, own?.id ?? '', future].map(async (after) => readEvents(await connect(bob, after, '', fresh))),
      );
      // From here on the stream without a usable id gives what happens.
      for (const one of readers) expect(await one.next()).toMatchObject({ event: 'ready' });
      const { bodies } = await issue();
      const last = String(bodies.at(-1)?.seq);
      for (const one of readers) {
        const seen: string[] = [];
        while (!seen.includes(last))
          seen.push(...(await take(one, 1)).map((event) => dataSchema.parse(event?.data).id));
        expect(seen).not.toContain(id);
      }
    });
  });

  test('opens three streams a key, and another one once one of them has ended', async () => {
    const program = await world().program('free');
    const open = [await connect(program), await connect(program), await connect(program)];
    const refused = await connect(program);
    expect([refused.status, await refused.json()]).toMatchObject([429, { details: { mostStreams: 3 } }]);
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);

    for (const one of leaving.splice(0)) one.abort();
    await expect.poll(async () => (await connect(program)).status).toBe(200);
  });

  test('says what is missing after a long break, and refuses an invalid id', async () => {
    const program = await world().program('free');
    const ready = await readEvents(await connect(program, '0-0-0-0')).next();
    expect(ready).toMatchObject({ event: 'ready', data: { missedUntil: expect.any(String) } });

    for (const id of ['1', 'x', '1-2-3-4-5', "1-2-3-'", '-1-0-0-0']) {
      const answer = await connect(program, id);
      expect([id, answer.status, await answer.json()]).toMatchObject([
        id,
        400,
        { details: { parameter: 'last-event-id' } },
      ]);
    }
  });
});
