/** Forecasts, bands, candles, markets and the watchlist through the read API, by key and plan. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { subscribe } from '../support/worlds/prediction-world.ts';
import { apiCalls, documentedBy, readApiServer, savePrediction } from './support/data/read-api.ts';

const candlesSchema = z.object({
  candles: z.array(z.looseObject({ time: z.string() })),
  next: z.nullable(z.string()),
});

describeOneDatabase('forecasts through the read API', (kind) => {
  const world = openedForTests(openWorld);
  const { request } = apiCalls(() => world().server);

  async function openWorld() {
    const server = await readApiServer(kind);
    const [free, lion] = [await server.confirmedUser(), await server.confirmedUser()];
    const nowS = Math.floor(Date.now() / 1000);
    await subscribe(server.database, lion.id, 'lion', nowS - 86_400, nowS + 86_400);
    const { newKey: keyOf } = apiCalls(() => server);
    const keys = { free: (await keyOf(free)).key, lion: (await keyOf(lion)).key };
    return { server, lion, keys, documented: await documentedBy(server), close: () => server.close() };
  }

  test('returns the public forecast as documented, with an ETag and 304 while it lasts', async () => {
    const { keys, documented } = world();
    const whole = await request('/forecasts/latest', keys.free);
    const bands = await request('/bands', keys.free);

    expect(whole.body).toMatchObject({ symbol: 'BTCUSDT.P', model: 'bobcat', access: 'public', path: { length: 50 } });
    expect(whole.body.bands).toHaveLength(HORIZON_BARS);
    expect(bands.body).toEqual({ ...whole.body, history: undefined, path: undefined });
    expect([documented('/forecasts/latest', whole), documented('/bands', bands)]).toEqual([null, null]);
    const again = await request('/bands', keys.free, {
      headers: { 'if-none-match': bands.headers.get('etag') ?? '' },
    });
    expect([again.status, again.text, documented('/bands', again)]).toEqual([304, '', null]);
  });

  test('ends an open stream of chances once the plan has ended, and opens none afterwards', async () => {
    const { server } = world();
    const user = await server.confirmedUser();
    const nowS = Math.floor(Date.now() / 1000);
    await subscribe(server.database, user.id, 'lion', nowS - 86_400, nowS + 86_400);
    const { key } = await apiCalls(() => server).newKey(user);
    const open = () =>
      server.request('/api/v1/chances/live?sym=ETHUSDT.P&model=lion', { headers: { authorization: `Bearer ${key}` } });
    const stream = await open();
    expect(stream.status).toBe(200);

    await asOwner(server.database).query(
      `update public.stripe_subscriptions set status = 'canceled', current_period_end = $2 where subscription_id = $1`,
      [`sub_${user.id}`, nowS - 43_200],
    );
    await stream.text();
    expect((await open()).status).toBe(403);
  });

  test('refuses a forecast outside the plan, and one of the plan that was not opened', async () => {
    const { keys, documented, server, lion } = world();
    const codeFor = async (key: string, query: string) => {
      const answer = await request(`/forecasts/latest?${query}`, key);
      expect(documented('/forecasts/latest', answer)).toBeNull();
      return answer.body.code ?? answer.status;
    };
    expect(await codeFor(keys.free, 'sym=ETHUSDT.P')).toBe('forecast/model-locked');
    expect(await codeFor(keys.lion, 'sym=ETHUSDT.P&model=lion&tf=5min')).toBe('forecast/not-opened');
    expect(await codeFor(keys.lion, 'sym=NOPE')).toBe('market/unknown-symbol');

    const band = Object.fromEntries(
      ['lower80', 'upper80', 'lower95', 'upper95'].map((edge) => [edge, Array(50).fill(2)]),
    );
    const id = await savePrediction(server.database, {
      userId: lion.id,
      coin: 'ETH',
      savedAt: new Date().toISOString(),
    });
    await asOwner(server.database).query(
      'update public.user_predictions set band = $2::text::jsonb where id = $1::text::uuid',
      [id, JSON.stringify(band)],
    );
    expect(await codeFor(keys.lion, 'sym=ETHUSDT.P')).toBe(200);
    const byId = await request(`/forecasts/${id}`, keys.lion);
    expect([byId.status, byId.body.owner, documented('/forecasts/x', byId)]).toEqual([200, 'you', null]);
    const foreign = await request(`/forecasts/${id}`, keys.free);
    expect([foreign.status, documented('/forecasts/x', foreign)]).toEqual([404, null]);
    expect((await request(`/forecasts/${id}'`, keys.lion)).status).toBe(400);
  });

  test('returns candles page by page into the past, without a gap or a duplicate', async () => {
    const { keys, documented } = world();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await request(
        `/candles?sym=BTCUSDT.P&limit=60${cursor === null ? '' : `&cursor=${cursor}`}`,
        keys.free,
      );
      expect(documented('/candles', answer)).toBeNull();
      const page = candlesSchema.parse(answer.body);
      seen.unshift(...page.candles.map(({ time }) => time));
      cursor = page.next;
    } while (cursor !== null);

    expect(seen).toHaveLength(250);
    expect(new Set(seen).size).toBe(250);
    expect(seen).toEqual(seen.toSorted());
    const missing = await request('/candles', keys.free);
    expect(missing).toMatchObject({ status: 400, body: { details: { parameter: 'sym', problem: 'missing' } } });
  });

  test("returns the owner's watchlist in its order, and markets", async () => {
    const { keys, documented, server, lion } = world();
    await asOwner(server.database).query(
      `insert into public.watched_pairs (user_id, sym, timeframe, place)
       values ($1::text::uuid, 'SOLUSDT.P', '5min', 1), ($1::text::uuid, 'MSFT', '1min', 2)`,
      [lion.id],
    );
    const own = await request('/watchlist', keys.lion);
    expect(own.body).toEqual({
      pairs: [
        { sym: 'SOLUSDT.P', timeframe: '5min' },
        { sym: 'MSFT', timeframe: '1min' },
      ],
    });
    expect((await request('/watchlist', keys.free)).body).toEqual({ pairs: [] });
    const markets = await request('/markets?query=btc&limit=5', keys.free);
    expect([markets.status, documented('/markets', markets), documented('/watchlist', own)]).toEqual([200, null, null]);
  });
});
