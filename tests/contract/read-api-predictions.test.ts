/** A user's own saved predictions through the read API: whole, in pages, as rows, and never another user's. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { apiCalls, readApiServer, savePrediction } from './support/data/read-api.ts';

const predictionsSchema = z.object({
  predictions: z.array(z.looseObject({ id: z.string() })),
  next: z.nullable(z.string()),
});

describeOneDatabase('own predictions through the read API', (kind) => {
  const world = openedForTests(openWorld);
  const server = () => world().server;
  const { newKey, request } = apiCalls(server);
  const idsOf = (body: unknown) => predictionsSchema.parse(body).predictions.map(({ id }) => id);

  /** Three of Ada's predictions, the second of which is void, and one of Bob's. */
  async function openWorld() {
    const started = await readApiServer(kind);
    const [ada, bob] = [await started.confirmedUser(), await started.confirmedUser()];
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
    return {
      server: started,
      ada,
      saved,
      key: (await keyOf(ada)).key,
      bobsKey: (await keyOf(bob)).key,
      close: () => started.close(),
    };
  }

  test('returns own predictions newest first with their outcomes, page by page', async () => {
    const { key, saved } = world();
    const newestFirst = saved.toReversed();
    const whole = await request('/predictions', key);

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
      const { body } = await request(`/predictions?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`, key);
      seen.push(...idsOf(body));
      cursor = predictionsSchema.parse(body).next;
    } while (cursor !== null);
    expect(seen).toEqual(newestFirst);
    expect(idsOf((await request('/predictions?from=2026-11-20T10:01:00Z&to=2026-11-20T10:02:00Z', key)).body)).toEqual([
      saved[1],
    ]);
  });

  test("returns no other user's predictions for any parameter or cursor", async () => {
    const { key, bobsKey, ada, saved } = world();
    const [cursor] = [predictionsSchema.parse((await request('/predictions?limit=1', key)).body).next];

    expect(idsOf((await request('/predictions', bobsKey)).body)).toHaveLength(1);
    expect(
      idsOf((await request(`/predictions?cursor=${cursor}`, bobsKey)).body).filter((id) => saved.includes(id)),
    ).toEqual([]);
    for (const query of [`user_id=${ada.id}`, `id=${saved[0]}`, `userId=${ada.id}`])
      expect(await request(`/predictions?${query}`, bobsKey)).toMatchObject({
        status: 400,
        body: { details: { problem: 'unknown' } },
      });
    const rows = (await request('/predictions.csv', bobsKey)).text;
    expect(saved.filter((id) => rows.includes(id))).toEqual([]);
    expect((await request('/predictions.csv', key)).text).toContain(saved[0]);
  });

  test('escapes a name that a spreadsheet would run', async () => {
    const user = await server().confirmedUser();
    const { key } = await newKey(user, { name: '=HYPERLINK("x")' });
    for (const coin of ['=1+1', '@SUM(A1)', '-2+3', '+1', '=cmd|"/C calc"!A0'])
      await savePrediction(server().database, { userId: user.id, coin });

    const { text } = await request('/predictions.csv', key);
    const coins = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);

    expect(new Set(coins)).toEqual(new Set(["'=1+1", "'@SUM(A1)", "'-2+3", "'+1", '"\'=cmd|""/C calc""!A0"']));
    expect(text).not.toContain('HYPERLINK');
  });

  test('refuses a forged cursor, or returns only what its user may read', async () => {
    const { bobsKey } = world();
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
      expect([cursor, (await request(`/predictions?cursor=${encodeURIComponent(cursor)}`, bobsKey)).status]).toEqual([
        cursor,
        400,
      ]);
    expect(idsOf((await request(`/predictions?cursor=${'9'.repeat(17)}-${uuid}`, bobsKey)).body)).toHaveLength(1);
  });
});
