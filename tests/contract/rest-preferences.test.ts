/**
 * What a request prefers and what its response reports about it: preferences, statuses of writes, counts, codes
 * without a body.
 */
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { atMost } from '../support/rest/rest-client-methods.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables, titles } from './support/data/rest.ts';

// On one kind by day: rest-model-writes.test.ts runs generated writes on both.
describeBothAtNight('preferences of the client library', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));
  const notes = () => rest().ada.from('contract_notes');
  const states = () => rest().ada.from('contract_states');

  describe('preferences', () => {
    test.each(['wait=10', 'count=none', 'params=single-object, foo', 'handling=lenient, foo', 'max-affected=0'])(
      'ignores %s',
      async (prefer) => {
        const answer = await rest().asAda('/contract_notes?select=title&order=title', { headers: { prefer } });

        expect([answer.status, titles((await answer.json()) as unknown[]).length]).toEqual([200, 4]);
      },
    );

    test.each<[string, string, string]>([
      ['an unknown one in strict handling', 'handling=strict, wait=10, count=exact', 'PGRST122'],
      ['a bound that is no number in strict handling', 'handling=strict, max-affected=few', 'PGRST122'],
      ['a dry run', 'tx=rollback', 'PGRST100'],
      ['defaults for missing values', 'return=minimal,missing=default', 'PGRST100'],
      ['headers alone', 'return=headers-only', 'PGRST100'],
      ['a time zone', 'timezone=Europe/Berlin', 'PGRST100'],
    ])('refuses %s, and writes nothing', async (_what, prefer, code) => {
      const answer = await rest().asAda('/contract_notes', {
        method: 'POST',
        headers: { ...JSON_TYPE, prefer },
        body: '{"title": "preferred"}',
      });

      expect(await codeOf(answer)).toEqual([400, code]);
      expect((await notes().select('id').eq('title', 'preferred')).data).toEqual([]);
    });

    test('names the unknown preferences', async () => {
      const answer = await rest().asAda('/contract_notes', { headers: { prefer: 'handling=strict, foo, bar' } });

      expect(await answer.json()).toEqual({
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: foo, bar',
        hint: null,
      });
    });

    test.each<[string, string, string, string, string | null]>([
      ['GET', '/contract_notes', '', 'count=planned, foo, return=minimal', 'count=planned'],
      ['GET', '/contract_notes', '', 'handling=strict,tx=commit', 'tx=commit, handling=strict'],
      ['GET', '/contract_notes', '', 'foo', null],
      ['POST', '/contract_notes', '[]', 'count=exact, return=representation', 'return=representation, count=exact'],
      [
        'POST',
        '/contract_notes',
        '[]',
        'missing=null, resolution=ignore-duplicates, resolution=merge-duplicates',
        'resolution=ignore-duplicates, missing=null',
      ],
      ['PATCH', '/contract_notes?id=eq.0', '{}', 'return=minimal, max-affected=3', 'return=minimal'],
      [
        'DELETE',
        '/contract_notes?id=eq.0',
        '',
        'return=minimal, max-affected=3, handling=strict',
        'return=minimal, handling=strict, max-affected=3',
      ],
      ['POST', '/rpc/contract_values', '{}', 'count=estimated, return=representation', 'count=estimated'],
      ['POST', '/rpc/contract_add', '{"a": 1}', 'count=exact', 'count=exact'],
    ])('reports the applied preferences: %s %s %s with %s', async (method, path, body, prefer, applied) => {
      const init = { method, headers: { ...JSON_TYPE, prefer }, ...(body === '' ? {} : { body }) };

      const answer = await rest().asAda(path, init);

      expect([answer.ok, answer.headers.get('preference-applied')]).toEqual([true, applied]);
    });

    test('reports no resolution when no key can identify duplicates', async () => {
      const authorization = `Bearer ${rest().server.keys.serviceRoleKey}`;
      const headers = { ...JSON_TYPE, authorization, prefer: 'resolution=merge-duplicates, return=minimal' };

      const answer = await rest().server.request('/rest/v1/contract_titles', { method: 'POST', headers, body: '[]' });

      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'return=minimal']);
    });
  });

  describe('counts', () => {
    test.each(['exact', 'planned', 'estimated'] as const)(
      'returns exact counts when %s ones are requested',
      async (count) => {
        const page = await notes().select('title', { count }).order('title').range(1, 2);
        const head = await notes().select('*', { count, head: true });
        const called = await rest().ada.rpc('contract_series', { p_to: 7 }, { count });
        const changed = await notes().update({ data: null }, { count }).eq('title', 'beta');

        expect([page.count, head.count, called.count, changed.count]).toEqual([4, 4, 7, 1]);
        expect(page.status).toBe(206);
      },
    );

    test('reports the total when a page lies past the end', async () => {
      const headers = { prefer: 'count=exact' };

      const rows = await rest().asAda('/contract_notes?offset=9', { headers });
      const called = await rest().asAda('/rpc/contract_series?p_to=3&offset=9', { headers });

      expect([rows.headers.get('content-range'), called.headers.get('content-range')]).toEqual(['*/4', '*/3']);
      expect([await codeOf(rows), await codeOf(called)]).toEqual([
        [416, 'PGRST103'],
        [416, 'PGRST103'],
      ]);
    });

    test.each<[string, string, string, string, string]>([
      ['an update', 'PATCH', '?score=in.(1,2)', '{"is_open": true}', '0-1/*'],
      ['an update that matches nothing', 'PATCH', '?score=eq.77', '{"is_open": true}', '*/*'],
      ['a delete that matches nothing', 'DELETE', '?score=eq.77', '', '*/*'],
    ])('reports in Content-Range which rows %s changed', async (_what, method, query, body, range) => {
      const init = { method, headers: JSON_TYPE, ...(body === '' ? {} : { body }) };

      const answer = await rest().asAda(`/contract_notes${query}`, init);

      expect([answer.status, answer.headers.get('content-range')]).toEqual([204, range]);
    });
  });

  describe('writes', () => {
    test('accepts an empty update, changes nothing and reads nothing back', async () => {
      const before = (await notes().select().order('id')).data;

      const plain = await notes().update({}).eq('title', 'beta');
      const everywhere = await notes().update({}, { count: 'exact' });
      const read = await notes().update({}).eq('title', 'beta').select();

      expect([plain.status, plain.error, everywhere.status, everywhere.count]).toEqual([204, null, 204, 0]);
      expect([read.status, read.data]).toEqual([200, []]);
      expect((await notes().select().order('id')).data).toEqual(before);
    });

    test.each<[string, string, number, string]>([
      ['a column that is not there', '/contract_notes?nope=eq.1', 400, '42703'],
      ['a value of another type', '/contract_notes?score=eq.x', 400, '22P02'],
      ['a table that the caller may not read', '/contract_drop?id=eq.1', 403, '42501'],
    ])('refuses an empty update for %s', async (_what, path, status, code) => {
      const answer = await rest().asAda(path, { method: 'PATCH', headers: JSON_TYPE, body: '{}' });

      expect(await codeOf(answer)).toEqual([status, code]);
    });

    test('answers an upsert with 201 for a new row and 200 when all rows existed', async () => {
      const statuses = async (values: object, options: object = {}) => (await states().upsert(values, options)).status;
      const merged = { onConflict: 'label' };

      expect(await statuses({ label: 'status', count: 1 }, merged)).toBe(201);
      expect(await statuses({ label: 'status', count: 2 }, merged)).toBe(200);
      expect(await statuses({ label: 'status', count: 3 }, { ...merged, ignoreDuplicates: true })).toBe(201);
      expect(await statuses([], merged)).toBe(200);
      const read = await states().upsert({ label: 'status', count: 4 }, merged).select('count').single();
      expect([read.status, read.data]).toEqual([200, { count: 4 }]);
    });

    test('answers an upsert of new and old rows with 201, and counts afresh for the next', async () => {
      const service = rest().server.service().from('contract_notes');
      const rows = [1, 2, 3].map((n) => ({ id: 9000 + n, title: `merged ${n}`, user_id: crypto.randomUUID() }));

      const first = await service.upsert(rows.slice(0, 2));
      const mixed = await service.upsert(rows).select('id');
      const old = await Promise.all([1, 2, 3, 4].map(() => service.upsert(rows).select('id')));
      const fresh = await service.upsert({ id: 9004, title: 'merged 4', user_id: crypto.randomUUID() });

      expect([first.status, mixed.status, mixed.data?.length, fresh.status]).toEqual([201, 201, 3, 201]);
      expect(old.map((one) => [one.status, one.data?.length])).toEqual(Array(4).fill([200, 3]));
      await service.delete().gt('id', 9000);
    });

    test('sorts the rows that a write returns, even by a column it does not return', async () => {
      const byScore = await notes()
        .update({ is_open: false })
        .gte('score', 1)
        .select('title')
        .order('score', { ascending: false });
      const inserted = await notes()
        .insert([{ title: 'sorted 1' }, { title: 'sorted 3' }, { title: 'sorted 2' }])
        .select('title, again:title')
        .order('title', { ascending: false });
      const deleted = await notes()
        .delete()
        .like('title', 'sorted%')
        .select('*, title')
        .order('score', { nullsFirst: true })
        .order('title');

      expect(titles(byScore.data)).toEqual(['alpha', 'gamma, "delta"', 'beta']);
      expect(inserted.data).toEqual(['3', '2', '1'].map((n) => ({ title: `sorted ${n}`, again: `sorted ${n}` })));
      expect(titles(deleted.data)).toEqual(['sorted 1', 'sorted 2', 'sorted 3']);
    });

    test.each<[string, string, string]>([
      ['an order without rows to sort', '?score=eq.1&order=score', 'return=minimal'],
      ['an order by JSON', '?score=eq.1&order=data', 'return=representation'],
      ['a limit', '?score=gte.1&limit=1', 'return=representation'],
    ])('refuses %s in a delete', async (_what, query, prefer) => {
      const answer = await rest().asAda(`/contract_notes${query}`, { method: 'DELETE', headers: { prefer } });

      expect(await codeOf(answer)).toEqual([400, 'PGRST100']);
    });

    test('refuses and rolls back a write of more rows than max-affected', async () => {
      const rows = () => notes().select('id', { count: 'exact', head: true });

      const deleted = await atMost(2, notes().delete().gte('score', 1));
      const changed = await atMost(2, notes().update({ title: 'many' }).gte('score', 1)).select();
      const called = await atMost(2, rest().ada.rpc('contract_write_many', { p_titles: ['a', 'b', 'c'] }));
      const allowed = await atMost(3, notes().update({ is_open: true }, { count: 'exact' }).gte('score', 1));

      for (const { status, error } of [deleted, changed, called])
        expect([status, error?.code, error?.details]).toEqual([400, 'PGRST124', 'The query affects 3 rows']);
      expect([allowed.count, (await rows()).count]).toEqual([3, 4]);
      expect((await notes().select('id').eq('title', 'many')).data).toEqual([]);
    });

    test.each<[string, string, string, string]>([
      ['of a function that answers no rows', 'POST', '/rpc/contract_write', 'PGRST128'],
      ['of a read', 'GET', '/contract_notes', 'PGRST100'],
      ['of an insert', 'POST', '/contract_notes', 'PGRST100'],
    ])('refuses max-affected %s', async (_what, method, path, code) => {
      const headers = { ...JSON_TYPE, prefer: 'handling=strict, max-affected=1' };
      const body = path.startsWith('/rpc') ? '{"p_title": "bounded"}' : '{"title": "bounded"}';

      const answer = await rest().asAda(path, { method, headers, ...(method === 'POST' ? { body } : {}) });

      expect(await codeOf(answer)).toEqual([400, code]);
      expect((await notes().select('id').eq('title', 'bounded')).data).toEqual([]);
    });

    test.each([
      ['POST', '/contract_notes', '{"nope": 1}'],
      ['POST', '/contract_notes?columns=nope', '{"title": "a"}'],
      ['PATCH', '/contract_notes?id=eq.1', '{"nope": 1}'],
      ['PATCH', '/contract_notes?id=eq.1&columns=nope', '{}'],
    ])('names a missing column: %s %s', async (method, path, body) => {
      const answer = await rest().asAda(path, { method, headers: JSON_TYPE, body });

      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          code: 'PGRST204',
          message: "Could not find the 'nope' column of 'contract_notes' in the schema cache",
          details: null,
          hint: null,
        },
      ]);
    });
  });

  describe('refusals', () => {
    test.each<[string, string, RequestInit, number, string]>([
      ['a column that is not there', '/contract_notes?select=nope', {}, 400, '42703'],
      ['a table that is not there', '/contract_nothing', {}, 404, 'PGRST205'],
      [
        'several rows where one is requested',
        '/contract_notes',
        { headers: { accept: 'application/vnd.pgrst.object+json' } },
        406,
        'PGRST116',
      ],
      ['a page past the end', '/contract_notes?offset=9', { headers: { prefer: 'count=exact' } }, 416, 'PGRST103'],
      ['a function that writes', '/rpc/contract_write?p_title=x', {}, 405, '25006'],
    ])('reports the code of %s in a header, also for HEAD', async (_what, path, init, status, code) => {
      const read = await rest().asAda(path, init);
      const head = await rest().asAda(path, { ...init, method: 'HEAD' });

      const proxyStatus = `PostgREST; error=${code}`;
      expect([read.status, read.headers.get('proxy-status')]).toEqual([status, proxyStatus]);
      expect([head.status, head.headers.get('proxy-status'), await head.text()]).toEqual([status, proxyStatus, '']);
      expect(await codeOf(read)).toEqual([status, code]);
    });

    test('returns no count when a request for only the count is refused', async () => {
      const { status, error, count } = await notes().select('nope', { count: 'exact', head: true });
      const missing = await rest().ada.from('contract_nothing').select('*', { count: 'exact', head: true });

      expect([status, error === null, count]).toEqual([400, false, null]);
      // The library itself treats a 404 without a body as a success.
      expect([missing.status, missing.error, missing.count]).toEqual([204, null, null]);
    });

    test('reports the code to visitors as well', async () => {
      const answer = await rest().server.request('/rest/v1/contract_notes', { method: 'HEAD' });

      expect([answer.status, answer.headers.get('proxy-status')]).toEqual([401, 'PostgREST; error=42501']);
    });
  });
});
