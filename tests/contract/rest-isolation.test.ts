/**
 * No user reaches another user's rows: not with text in any place of a request, and not with many simultaneous
 * requests.
 */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { openRestTables, titles } from './support/data/rest.ts';

/** A multiple of 32, so that every role makes every kind of call equally often. */
const CALLS = sampleSize(128, 320);

// Runs on both kinds: row-level security in one session and in ten.
describeEachDatabase('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));

  describe('injection', () => {
    const PAYLOADS = [
      '1); drop table public.contract_notes; --',
      "x' or '1'='1",
      '" or true --',
      'id" from private.contract_secret --',
      '*,(select word from private.contract_secret)',
      '$1',
      'title"; reset role; --',
      "a\\'; select pg_sleep(5); --",
    ];
    const PLACES: [string, (payload: string) => string][] = [
      ['table', (p) => `/${p}`],
      ['procedure', (p) => `/rpc/${p}`],
      ['select', (p) => `/contract_notes?select=${p}`],
      ['alias', (p) => `/contract_notes?select=${encodeURIComponent('"')}${p}${encodeURIComponent('"')}:id&limit=1`],
      ['filter column', (p) => `/contract_notes?${p}=eq.1`],
      ['filter value', (p) => `/contract_notes?title=eq.${p}`],
      ['in list', (p) => `/contract_notes?title=in.(${p})`],
      ['is value', (p) => `/contract_notes?title=is.${p}`],
      ['like pattern', (p) => `/contract_notes?title=like.${p}`],
      ['group', (p) => `/contract_notes?or=(title.eq.${p},id.eq.1)`],
      ['order', (p) => `/contract_notes?order=${p}`],
      ['limit', (p) => `/contract_notes?limit=${p}`],
      ['on_conflict', (p) => `/contract_notes?on_conflict=${p}`],
      ['procedure argument', (p) => `/rpc/contract_add?a=${p}`],
    ];

    test.each(PLACES)('neither runs nor leaks in the %s', async (_place, pathOf) => {
      for (const payload of PAYLOADS) {
        const answer = await rest().asAda(pathOf(encodeURIComponent(payload)));
        const text = await answer.text();

        expect(answer.status, `${payload}: ${text}`).toBeLessThan(500);
        expect(text).not.toContain('hidden');
        expect(text).not.toContain('of bob');
      }
      expect(await rest().server.database.query(OWNER, 'select word from private.contract_secret')).toEqual([
        { word: 'hidden' },
      ]);
    });

    test('is only text in a row', async () => {
      for (const title of PAYLOADS.filter((payload) => payload.length <= 50)) {
        const { data } = await rest()
          .ada.from('contract_notes')
          .insert({ title, 'Odd "name, col)': title })
          .select('title')
          .single();
        expect(data).toEqual({ title });
        const found = await rest().ada.from('contract_notes').select('title').eq('title', title);
        expect(found.data).toEqual([{ title }]);
        await rest().ada.from('contract_notes').delete().eq('title', title);
      }
    });
  });

  test('keeps rows apart under many simultaneous reads, calls and writes of four roles', async () => {
    const { ada, bob, server } = rest();
    const owners = await server.database.query<{ user_id: string; title: string }>(
      OWNER,
      "select user_id, title from public.contract_notes where title in ('alpha', 'of bob') order by title",
    );
    const [adaId, bobId] = owners.map((row) => row.user_id);
    const everyone = [
      { client: ada, isOwn: (id: unknown) => id === adaId, mustSee: ['alpha'] },
      { client: bob, isOwn: (id: unknown) => id === bobId, mustSee: ['of bob'] },
      { client: server.service(), isOwn: (id: unknown) => id === adaId || id === bobId, mustSee: ['alpha', 'of bob'] },
      { client: server.visitor(), isOwn: () => false, mustSee: [] },
    ] as const;
    const refused = (status: number, code: string | undefined) => status === 401 && code === '42501';

    const answers = await Promise.all(
      Array.from({ length: CALLS }, async (_, index) => {
        const who = everyone[index % everyone.length] ?? everyone[3];
        const isVisitor = who === everyone[3];
        const isService = who === everyone[2];
        const turn = Math.floor(index / everyone.length) % 4;
        if (turn === 3 && !isService) {
          const { data, error, status } = await who.client
            .from('contract_notes')
            .insert({ title: `load ${index}` })
            .select('user_id');
          return isVisitor ? refused(status, error?.code) : data?.length === 1 && who.isOwn(data[0]?.user_id);
        }
        if (turn === 2 && !isService) {
          const { data, error, status } = await who.client
            .from('contract_notes')
            .update({ score: index })
            .in('title', ['alpha', 'of bob'])
            .select('user_id');
          return isVisitor ? refused(status, error?.code) : data?.length === 1 && who.isOwn(data[0]?.user_id);
        }
        const { data, error, status } =
          turn === 1
            ? await who.client.rpc('contract_my_notes').select('user_id, title')
            : await who.client.from('contract_notes').select('user_id, title');
        if (isVisitor) return refused(status, error?.code);
        const rows: { user_id: string; title: string }[] = Array.isArray(data) ? data : [];
        return (
          rows.every((row) => who.isOwn(row.user_id)) && who.mustSee.every((title) => titles(rows).includes(title))
        );
      }),
    );

    expect(answers.filter((isRight) => !isRight)).toEqual([]);
    expect(answers).toHaveLength(CALLS);
    const created = await server.database.query<{ user_id: string }>(
      OWNER,
      "select user_id from public.contract_notes where title like 'load %'",
    );
    expect(created).toHaveLength(CALLS / 8);
    expect(new Set(created.map((row) => row.user_id))).toEqual(new Set([adaId, bobId]));
  });
});
