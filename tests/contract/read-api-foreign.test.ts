/** What a key opens of another user's data through the read API: nothing, by no id, cursor, ETag or time of an answer. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asOwner } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { nightTest } from '../support/run/night-test.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { guessedByTime, timedInTurns } from '../support/timing/compare-times.ts';
import { apiCalls, readApiServer, savePrediction } from './support/data/read-api.ts';

const TIMED_CALLS = 400;
/** See guessedByTime. */
const GUESSED = 0.65;

describeOneDatabase('data of other users through the read API', (kind) => {
  const world = openedForTests(async () => {
    const server = await readApiServer(kind);
    const { newKey } = apiCalls(() => server);
    const [ada, bob] = [await server.confirmedUser(), await server.confirmedUser()];
    const saved = await savePrediction(server.database, { userId: ada.id });
    await asOwner(server.database).query(
      `insert into public.watched_pairs (user_id, sym, timeframe, place) values ($1::text::uuid, 'SOLUSDT.P', '5min', 1)`,
      [ada.id],
    );
    const keys = { ada: await newKey(ada), bob: await newKey(bob) };
    return { server, ada, bob, saved, keys, close: () => server.close() };
  });
  const { call, request } = apiCalls(() => world().server);
  const withTag = (etag: string | null) => ({ headers: { 'if-none-match': etag ?? '' } });

  test('answers no one 304 for the ETag of another user, and lets no cache mix them up', async () => {
    const { saved, keys } = world();
    for (const path of ['/predictions', '/watchlist', `/forecasts/${saved}`]) {
      const own = await request(path, keys.ada.key);
      const etag = own.headers.get('etag');
      expect([path, own.status, etag]).toEqual([path, 200, expect.stringMatching(/^W\/"/)]);
      expect((await request(path, keys.ada.key, withTag(etag))).status).toBe(304);
      const foreign = await request(path, keys.bob.key, withTag(etag));
      expect([path, foreign.status, foreign.text.includes(saved), foreign.text.includes('SOLUSDT')]).toEqual([
        ...[path, path.startsWith('/forecasts') ? 404 : 200, false, false],
      ]);
      for (const { headers } of [own, foreign])
        expect([path, headers.get('vary')?.split(/, ?/), headers.get('cache-control')]).toEqual([
          ...[path, expect.arrayContaining(['authorization']), expect.stringMatching(/^private|^no-store/)],
        ]);
    }
  });

  test('answers no revoked key 304 for an ETag that it once got', async () => {
    const { server } = world();
    const user = await server.confirmedUser();
    const { key, id } = await apiCalls(() => server).newKey(user);
    const etag = (await request('/predictions', key)).headers.get('etag');
    expect(await call(user.accessToken, 'revoke-api-key', { id })).toMatchObject({ ok: true });

    const refused = await request('/predictions', key, withTag(etag));
    expect([refused.status, refused.body.code, refused.headers.get('etag')]).toEqual([401, 'api/key-revoked', null]);
    expect((await request('/predictions', key, withTag('*'))).status).toBe(401);
  });

  test('answers alike for a prediction of another user and for one that does not exist', async () => {
    const { saved, keys } = world();
    const answers = await Promise.all([saved, randomUUID()].map((id) => request(`/forecasts/${id}`, keys.bob.key)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([404, answers[0]?.text]));
  });

  nightTest('distinguishes no prediction of another user from one that does not exist by time', async () => {
    const { saved, keys } = world();
    const none = randomUUID();
    const times = await timedInTurns(['foreign', 'none'], TIMED_CALLS, (name) =>
      request(`/forecasts/${name === 'foreign' ? saved : none}`, keys.bob.key),
    );
    expect(guessedByTime(times.foreign, times.none)).toBeLessThan(GUESSED);
  });
});
