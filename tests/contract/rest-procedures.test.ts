/** Procedures called by POST and GET: arguments, answers, statuses, refusals. */
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables } from './support/data/rest.ts';

// On one kind by day: rest-isolation.test.ts calls procedures on both.
describeBothAtNight('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));

  describe('procedures', () => {
    test('take named arguments by POST and GET, with defaults', async () => {
      const posted = await rest().ada.rpc('contract_add', { a: 1, b: 2 });
      const defaulted = await rest().ada.rpc('contract_add', { a: 1 });
      const got = await rest().ada.rpc('contract_add', { a: 5, b: 6 }, { get: true });

      expect([posted.data, defaulted.data, got.data]).toEqual([3, 11, 11]);
    });

    test('take JSON, lists and times', async () => {
      const args = { p_data: { deep: [1, { x: null }] }, p_list: ['a,b', '"c"'], p_at: '2026-01-02T03:04:05Z' };

      const { data } = await rest().ada.rpc('contract_echo', args);

      expect(data).toEqual({ data: args.p_data, list: args.p_list, at: '2026-01-02T03:04:05+00:00' });
    });

    test('return rows that can be filtered, ordered, paged and counted', async () => {
      const { data, count } = await rest()
        .ada.rpc('contract_series', { p_to: 10 }, { count: 'exact' })
        .select('square')
        .gt('n', 3)
        .order('n', { ascending: false })
        .limit(2);
      const got = await rest().ada.rpc('contract_series', { p_to: 4 }, { get: true }).eq('n', 2).single();

      expect([data, count]).toEqual([[{ square: 100 }, { square: 81 }], 7]);
      expect(got.data).toEqual({ n: 2, square: 4 });
    });

    test('return single columns, plain values and nothing as the hosted service does', async () => {
      const one = await rest().ada.rpc('contract_one');
      const values = await rest().ada.rpc('contract_values');
      const nothing = await rest().ada.rpc('contract_write', { p_title: 'by procedure' });

      expect([one.data, values.data]).toEqual([[{ answer: 42 }], ['a', 'b']]);
      expect([nothing.status, nothing.data, nothing.error]).toEqual([204, null, null]);
      const { count } = await rest().ada.from('contract_notes').delete({ count: 'exact' }).eq('title', 'by procedure');
      expect(count).toBe(1);
    });

    test('count rows and plain values, even without a body for an argument that fits no URL', async () => {
      const values = await rest().ada.rpc('contract_values', {}, { count: 'exact' });
      const head = await rest().ada.rpc('contract_series', { p_to: 7 }, { head: true, count: 'exact' });
      const args = { p_data: { a: 1 }, p_list: [], p_at: '2026-01-02T03:04:05Z' };
      const posted = await rest().ada.rpc('contract_echo', args, { head: true, count: 'exact' });

      expect([values.count, values.data]).toEqual([2, ['a', 'b']]);
      expect([head.count, head.data]).toEqual([7, null]);
      expect([posted.count, posted.data, posted.error]).toEqual([1, null, null]);
    });

    test('return at most as many rows as they declare, and count the rest', async () => {
      const plain = await rest().ada.rpc('contract_pages').select('n').order('n');
      const { data, count } = await rest()
        .ada.rpc('contract_pages', { p_from: 11 }, { count: 'exact' })
        .select('n')
        .order('n', { ascending: false })
        .range(80, 99);
      const next = await rest()
        .ada.rpc('contract_pages', { p_from: 11 })
        .select('n')
        .lt('n', 20)
        .order('n')
        .range(5, 9);

      const rows = (...numbers: number[]) => numbers.map((n) => ({ n }));
      expect(plain.data).toEqual(rows(1, 2, 3, 4, 5));
      expect([data, count]).toEqual([rows(20, 19, 18, 17, 16), 90]);
      expect(next.data).toEqual(rows(16, 17, 18, 19));
    });

    test('build documents only for the returned rows', async () => {
      const builtCount = async () => (await rest().ada.rpc('contract_made')).data;
      const pages = () => rest().ada.rpc('contract_pages', {}, { count: 'exact' });
      const before = await builtCount();
      const first = await pages().order('n', { ascending: false }).limit(2);
      const afterFirst = await builtCount();
      const deep = await pages().select('document, n').order('n', { ascending: false }).range(60, 62);
      const afterDeep = await builtCount();
      await pages().select('n').limit(3);

      expect(first.data).toEqual([
        { n: 100, document: { n: 100 } },
        { n: 99, document: { n: 99 } },
      ]);
      expect([deep.data, deep.count]).toEqual([[40, 39, 38].map((n) => ({ document: { n }, n })), 100]);
      expect([afterFirst - before, afterDeep - afterFirst, (await builtCount()) - afterDeep]).toEqual([3, 4, 1]);
    });

    test("run with the caller's rights", async () => {
      const { data } = await rest().bob.rpc('contract_my_notes').select('title').eq('title', 'alpha');

      expect(data).toEqual([]);
    });

    test('roll back when one row was requested and several came', async () => {
      const { error } = await rest()
        .ada.rpc('contract_write_many', { p_titles: ['twice', 'twice'] })
        .single();
      const { count } = await rest()
        .ada.from('contract_notes')
        .select('*', { count: 'exact', head: true })
        .eq('title', 'twice');

      expect([error?.code, count]).toEqual(['PGRST116', 0]);
    });

    test('choose their status, and pass on message, details and hint', async () => {
      const teapot = await rest().ada.rpc('contract_raise', { p_code: 'PT418' });
      const plain = await rest().ada.rpc('contract_raise', { p_code: 'P0001' });

      expect(teapot.status).toBe(418);
      expect(teapot.error).toMatchObject({ message: 'no tea', details: 'short and stout', hint: 'try coffee' });
      expect([plain.status, plain.error?.code]).toEqual([400, 'P0001']);
    });

    test('report no internal errors', async () => {
      const { status, error } = await rest().ada.rpc('contract_raise', { p_code: 'XX000' });

      expect([status, error?.message]).toEqual([500, 'Something went wrong on our side.']);
    });

    test.each<[string, string, string, number, string]>([
      ['an unknown name', 'POST', '/rpc/contract_nothing', 404, 'PGRST202'],
      ['an unknown name by GET', 'GET', '/rpc/contract_nothing?a=1', 404, 'PGRST202'],
      ['a missing argument', 'POST', '/rpc/contract_add', 404, 'PGRST202'],
      ['a function that writes, by GET', 'GET', '/rpc/contract_write?p_title=x', 405, '25006'],
      ['columns in a call', 'POST', '/rpc/contract_one?columns=answer', 400, 'PGRST100'],
      ['a filter where nothing has columns', 'POST', '/rpc/contract_values?value=eq.a', 400, 'PGRST100'],
      ['another method', 'DELETE', '/rpc/contract_add', 405, 'PGRST101'],
      ['a function of the server itself', 'POST', '/rpc/pg_sleep', 404, 'PGRST202'],
      ['a function without grant', 'POST', '/rpc/contract_closed', 403, '42501'],
      ['a wrong value', 'GET', '/rpc/contract_add?a=x', 400, '22P02'],
    ])('refuse %s', async (_what, method, path, status, code) => {
      const answer = await rest().asAda(path, {
        method,
        headers: JSON_TYPE,
        ...(method === 'POST' ? { body: '{}' } : {}),
      });

      expect(await codeOf(answer)).toEqual([status, code]);
    });
  });
});
