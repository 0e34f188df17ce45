import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openRestTables, TAG, titles } from './support/data/rest.ts';
import { places } from './support/fronted.ts';

// Runs on both kinds, because the statements are generated, and behind a gateway, because a hosted project must
// answer alike.
describe.each(places())('tables on %s', (place) => {
  const rest = openedForTests(() => openRestTables(place));

  describe('reading', () => {
    test("returns an owner's rows with JSON types and times as the hosted service does", async () => {
      const { data, error } = await rest().ada.from('contract_notes').select('*').eq('title', 'alpha');

      expect(error).toBeNull();
      expect(data).toHaveLength(1);
      expect(data?.[0]).toMatchObject({
        title: 'alpha',
        score: 3,
        price: 1.5,
        is_open: true,
        tag: TAG,
        data: { a: [1, 'x'] },
        made_at: '2026-01-02T03:04:05.678901+00:00',
        'Odd "name, col)': null,
      });
    });

    test('selects and renames columns', async () => {
      const { data } = await rest().ada.from('contract_notes').select('name:title, score').eq('score', 3);

      expect(data).toEqual([{ name: 'alpha', score: 3 }]);
    });

    test('pages with an exact count', async () => {
      const page = await rest()
        .ada.from('contract_notes')
        .select('title', { count: 'exact' })
        .order('title')
        .range(1, 2);
      const tail = await rest()
        .ada.from('contract_notes')
        .select('title', { count: 'exact' })
        .order('title')
        .range(4, 9);
      const head = await rest().ada.from('contract_notes').select('*', { count: 'exact', head: true });

      expect([page.status, page.count, titles(page.data)]).toEqual([206, 4, ['alpha', 'beta']]);
      expect([tail.status, tail.count, tail.data]).toEqual([206, 4, []]);
      expect([head.count, head.data]).toEqual([4, null]);
    });

    test('reads the Range header and writes Content-Range', async () => {
      const answer = await rest().asAda('/contract_notes?select=title&order=title', {
        headers: { range: '1-2', 'range-unit': 'items', prefer: 'count=exact' },
      });

      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, '1-2/4']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.json()).toEqual([{ title: 'alpha' }, { title: 'beta' }]);
    });

    test('refuses a page past the end', async () => {
      const { error, status } = await rest().ada.from('contract_notes').select('*', { count: 'exact' }).range(10, 20);

      expect([status, error?.code]).toEqual([416, 'PGRST103']);
    });

    test('returns a single row only when there is exactly one', async () => {
      const one = await rest().ada.from('contract_notes').select('title').eq('score', 3).single();
      const none = await rest().ada.from('contract_notes').select('title').eq('score', 77).single();
      const many = await rest().ada.from('contract_notes').select('title').single();
      const maybe = await rest().ada.from('contract_notes').select('title').eq('score', 77).maybeSingle();

      expect(one.data).toEqual({ title: 'alpha' });
      expect([none.status, none.error?.code, none.error?.details]).toEqual([
        406,
        'PGRST116',
        'The result contains 0 rows',
      ]);
      expect([many.status, many.error?.code]).toEqual([406, 'PGRST116']);
      expect([maybe.data, maybe.error]).toEqual([null, null]);
    });

    test('returns at most 1,000 rows', async () => {
      await rest().server.database.query(
        OWNER,
        "insert into public.contract_notes (user_id, title) select gen_random_uuid(), 'bulk' from generate_series(1, 1200)",
      );

      const { data, count } = await rest()
        .server.service()
        .from('contract_notes')
        .select('id', { count: 'exact' })
        .eq('title', 'bulk')
        .limit(5000);

      expect([data?.length, count]).toEqual([1000, 1200]);
      await rest().server.database.query(OWNER, "delete from public.contract_notes where title = 'bulk'");
    });

    test('returns a column twice when it is selected twice', async () => {
      const { data, error } = await rest()
        .ada.from('contract_notes')
        .select('*, title, again:title')
        .eq('score', 3)
        .single();

      expect(error).toBeNull();
      expect(data).toMatchObject({ title: 'alpha', again: 'alpha' });
    });

    test('reads a view', async () => {
      const { data } = await rest().ada.from('contract_titles').select().eq('title', 'beta');

      expect(data).toEqual([{ id: expect.any(Number), title: 'beta' }]);
    });
  });

  test('finds a new table once the catalogue is notified', async () => {
    await rest().server.database.query(OWNER, 'create table public.contract_new (id integer)');
    await rest().server.database.query(OWNER, 'grant select on public.contract_new to authenticated');
    await rest().server.database.query(OWNER, 'alter table public.contract_new enable row level security');
    await rest().server.database.query(OWNER, 'notify pgrst');

    await expect.poll(async () => (await rest().ada.from('contract_new').select()).status).toBe(200);
  });
});
