/** Nobody reaches the rows of somebody else: not by text in any place of a request, not by many requests at once. */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database.ts';
import { testDatabaseKinds } from '../support/database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { openRestTables, titles } from './support-rest.ts';

describe.each(testDatabaseKinds())('tables on %s', (kind) => {
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

    test.each(PLACES)('in the %s neither runs nor leaks', async (_place, pathOf) => {
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

    test('in a row is only text', async () => {
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

  test('320 reads at once under four roles never show a row of somebody else', async () => {
    const service = rest().server.service();
    const visitor = rest().server.visitor();
    const readers = [
      {
        client: rest().ada,
        allowed: (names: unknown[]) => names.length > 0 && !names.includes('of bob') && names.includes('alpha'),
      },
      { client: rest().bob, allowed: (names: unknown[]) => names.includes('of bob') && !names.includes('alpha') },
      { client: service, allowed: (names: unknown[]) => names.includes('of bob') && names.includes('alpha') },
      { client: visitor, allowed: (names: unknown[]) => names.length === 0 },
    ];

    const answers = await Promise.all(
      Array.from({ length: 320 }, async (_, index) => {
        const reader = readers[index % readers.length];
        const { data } = await (reader?.client ?? visitor).from('contract_notes').select('title');
        return reader?.allowed(titles(data)) ?? false;
      }),
    );

    expect(answers.filter((isRight) => !isRight)).toEqual([]);
    expect(answers).toHaveLength(320);
  });
});
