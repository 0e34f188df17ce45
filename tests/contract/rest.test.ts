import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database.ts';
import { testDatabaseKinds } from '../support/database.ts';
import { type BackendTestServer, backendTestServer } from './support-backend.ts';
import { REST_SQL } from './support-rest.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TAG = '11111111-2222-4333-8444-555555555555';

describe.each(testDatabaseKinds())('tables on %s', (kind) => {
  let server: BackendTestServer;
  let ada: SupabaseClient;
  let adaToken: string;
  let bob: SupabaseClient;

  beforeAll(async () => {
    server = await backendTestServer(kind, { setUpSql: REST_SQL });
    const user = await server.user();
    ada = user.client;
    adaToken = user.accessToken;
    bob = (await server.user()).client;
    const rows = [
      { title: 'alpha', score: 3, price: 1.5, is_open: true, tag: TAG, data: { a: [1, 'x'] } },
      { title: 'beta', score: 1, price: null, is_open: false, tag: null, data: null },
      { title: 'gamma, "delta"', score: 2, price: 20.25, is_open: null, tag: null, data: [] },
      { title: '100%_sure', score: null, price: 0.1, is_open: true, tag: null, data: 'text' },
    ];
    const { error } = await ada.from('contract_notes').insert(rows);
    if (error) throw new Error(error.message);
    await bob.from('contract_notes').insert({ title: 'of bob', score: 99 });
  });
  afterAll(() => server.close());

  const asAda = (path: string, init: RequestInit = {}) =>
    server.request(`/rest/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${adaToken}`, ...Object.fromEntries(new Headers(init.headers)) },
    });
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code];
  const titles = (rows: unknown[] | null) =>
    (rows ?? []).map((row) => (typeof row === 'object' && row !== null && 'title' in row ? row.title : undefined));

  describe('reading', () => {
    test('gives an owner her rows, with JSON types and times as the hosted service has them', async () => {
      const { data, error } = await ada.from('contract_notes').select('*').eq('title', 'alpha');

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

    test('picks and renames columns', async () => {
      const { data } = await ada.from('contract_notes').select('name:title, score').eq('score', 3);

      expect(data).toEqual([{ name: 'alpha', score: 3 }]);
    });

    type Query = ReturnType<ReturnType<SupabaseClient['from']>['select']>;
    test.each<[string, (query: Query) => Query, string[]]>([
      ['eq', (q) => q.eq('title', 'gamma, "delta"'), ['gamma, "delta"']],
      ['eq on a uuid', (q) => q.eq('tag', TAG), ['alpha']],
      ['neq', (q) => q.neq('score', 1), ['alpha', 'gamma, "delta"']],
      ['gt and lt', (q) => q.gt('score', 1).lt('score', 3), ['gamma, "delta"']],
      ['gte and lte', (q) => q.gte('price', 0.1).lte('price', 1.5), ['100%_sure', 'alpha']],
      [
        'gt on a time',
        (q) => q.gt('made_at', '2026-01-02T03:04:05.6789Z'),
        ['100%_sure', 'alpha', 'beta', 'gamma, "delta"'],
      ],
      ['like', (q) => q.like('title', '%a%a'), ['alpha']],
      ['like with a star', (q) => q.like('title', '*eta'), ['beta']],
      ['like with an escaped percent sign', (q) => q.like('title', '100\\%%'), ['100%_sure']],
      ['ilike', (q) => q.ilike('title', 'BET%'), ['beta']],
      ['is null', (q) => q.is('score', null), ['100%_sure']],
      ['is true', (q) => q.is('is_open', true), ['100%_sure', 'alpha']],
      ['is false', (q) => q.is('is_open', false), ['beta']],
      ['in', (q) => q.in('title', ['beta', 'gamma, "delta"', 'nothing']), ['beta']],
      ['in with commas', (q) => q.in('title', ['beta', 'x,y(z)']), ['beta']],
      ['in with numbers', (q) => q.in('score', [1, 2]), ['beta', 'gamma, "delta"']],
      ['in with nothing', (q) => q.in('score', []), []],
      ['not in', (q) => q.not('score', 'in', '(1,2)'), ['alpha']],
      ['not null', (q) => q.not('price', 'is', null), ['100%_sure', 'alpha', 'gamma, "delta"']],
      [
        'not ilike, twice on one column',
        (q) => q.not('title', 'ilike', '%ha').not('title', 'ilike', 'b%'),
        ['100%_sure', 'gamma, "delta"'],
      ],
      ['or', (q) => q.or('score.eq.1, title.like.alph*'), ['alpha', 'beta']],
      ['or with a quoted value', (q) => q.or('title.eq."gamma, \\"delta\\"",score.eq.1'), ['beta', 'gamma, "delta"']],
      [
        'nested and, or, not',
        (q) => q.or('and(score.gte.2,not.or(score.eq.3,title.eq.x)),score.is.null'),
        ['100%_sure', 'gamma, "delta"'],
      ],
      ['match', (q) => q.match({ score: 1, is_open: false }), ['beta']],
    ])('filters by %s', async (_name, filter, expected) => {
      const { data, error } = await filter(ada.from('contract_notes').select('title').order('title') as never);

      expect(error).toBeNull();
      expect(titles(data).sort()).toEqual([...expected].sort());
    });

    test('orders by several columns, nulls where asked', async () => {
      const notes = () => ada.from('contract_notes').select('title');

      const last = await notes().order('score', { ascending: false, nullsFirst: false });
      const first = await notes().order('score', { nullsFirst: true }).order('title');

      expect(titles(last.data)).toEqual(['alpha', 'gamma, "delta"', 'beta', '100%_sure']);
      expect(titles(first.data)).toEqual(['100%_sure', 'beta', 'gamma, "delta"', 'alpha']);
    });

    test('pages with an exact count', async () => {
      const page = await ada.from('contract_notes').select('title', { count: 'exact' }).order('title').range(1, 2);
      const tail = await ada.from('contract_notes').select('title', { count: 'exact' }).order('title').range(4, 9);
      const head = await ada.from('contract_notes').select('*', { count: 'exact', head: true });

      expect([page.status, page.count, titles(page.data)]).toEqual([206, 4, ['alpha', 'beta']]);
      expect([tail.status, tail.count, tail.data]).toEqual([206, 4, []]);
      expect([head.count, head.data]).toEqual([4, null]);
    });

    test('reads the Range header and writes Content-Range', async () => {
      const answer = await asAda('/contract_notes?select=title&order=title', {
        headers: { range: '1-2', 'range-unit': 'items', prefer: 'count=exact' },
      });

      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, '1-2/4']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.json()).toEqual([{ title: 'alpha' }, { title: 'beta' }]);
    });

    test('refuses a page past the end', async () => {
      const { error, status } = await ada.from('contract_notes').select('*', { count: 'exact' }).range(10, 20);

      expect([status, error?.code]).toEqual([416, 'PGRST103']);
    });

    test('gives one row alone when there is exactly one', async () => {
      const one = await ada.from('contract_notes').select('title').eq('score', 3).single();
      const none = await ada.from('contract_notes').select('title').eq('score', 77).single();
      const many = await ada.from('contract_notes').select('title').single();
      const maybe = await ada.from('contract_notes').select('title').eq('score', 77).maybeSingle();

      expect(one.data).toEqual({ title: 'alpha' });
      expect([none.status, none.error?.code, none.error?.details]).toEqual([
        406,
        'PGRST116',
        'The result contains 0 rows',
      ]);
      expect([many.status, many.error?.code]).toEqual([406, 'PGRST116']);
      expect([maybe.data, maybe.error]).toEqual([null, null]);
    });

    test('never gives more than 1,000 rows', async () => {
      await server.database.query(
        OWNER,
        "insert into public.contract_notes (user_id, title) select gen_random_uuid(), 'bulk' from generate_series(1, 1200)",
      );

      const { data, count } = await server
        .service()
        .from('contract_notes')
        .select('id', { count: 'exact' })
        .eq('title', 'bulk')
        .limit(5000);

      expect([data?.length, count]).toEqual([1000, 1200]);
      await server.database.query(OWNER, "delete from public.contract_notes where title = 'bulk'");
    });

    test('gives a column twice when it is asked for twice', async () => {
      const { data, error } = await ada.from('contract_notes').select('*, title, again:title').eq('score', 3).single();

      expect(error).toBeNull();
      expect(data).toMatchObject({ title: 'alpha', again: 'alpha' });
    });

    test('reads a view', async () => {
      const { data } = await ada.from('contract_titles').select().eq('title', 'beta');

      expect(data).toEqual([{ id: expect.any(Number), title: 'beta' }]);
    });
  });

  describe('writing', () => {
    test('inserts one row and many, and answers them when asked', async () => {
      const one = await bob.from('contract_notes').insert({ title: 'one' });
      const many = await bob
        .from('contract_notes')
        .insert([{ title: 'two', score: 2 }, { title: 'three' }])
        .select('title, score');

      expect([one.status, one.data, one.error]).toEqual([201, null, null]);
      expect([many.status, many.data]).toEqual([
        201,
        [
          { title: 'two', score: 2 },
          { title: 'three', score: null },
        ],
      ]);
    });

    test('keeps every digit of a number on its way in', async () => {
      const { data } = await bob.from('contract_notes').insert({ title: 'digits', price: 0.1 }).select('id').single();
      const answer = await asAda('/contract_notes?select=price', {
        method: 'POST',
        headers: { ...JSON_TYPE, prefer: 'return=representation' },
        body: '{"title": "precise", "price": 12345678901234567890.123456789}',
      });

      expect(data?.id).toBeGreaterThan(0);
      expect(await answer.text()).toBe('[{"price":12345678901234567890.123456789}]');
      await ada.from('contract_notes').delete().eq('title', 'precise');
    });

    test('updates and deletes what the filter and the policy meet', async () => {
      const { data: made } = await bob.from('contract_notes').insert({ title: 'draft' }).select('id').single();

      const changed = await bob
        .from('contract_notes')
        .update({ title: 'final', data: { v: 2 } })
        .eq('id', made?.id)
        .select('title, data');
      const foreign = await ada.from('contract_notes').update({ title: 'stolen' }).eq('id', made?.id).select();
      const gone = await bob.from('contract_notes').delete({ count: 'exact' }).eq('id', made?.id);

      expect(changed.data).toEqual([{ title: 'final', data: { v: 2 } }]);
      expect(foreign.data).toEqual([]);
      expect([gone.status, gone.count]).toEqual([204, 1]);
    });

    test('a write that touches no row, with nothing to read back, is no error', async () => {
      const states = () => ada.from('contract_states');
      await states().upsert({ label: 'there', count: 1 });

      const repeated = await states().upsert(
        { label: 'there', count: 2 },
        { onConflict: 'label', ignoreDuplicates: true },
      );
      const unmatched = await states().update({ count: 3 }).eq('label', 'nowhere');
      const deleted = await ada.from('contract_notes').delete().eq('title', 'nowhere');

      expect([repeated.error, unmatched.error, deleted.error]).toEqual([null, null, null]);
      expect([repeated.status, unmatched.status, deleted.status]).toEqual([201, 204, 204]);
    });

    test('upserts by primary key and by another unique column', async () => {
      const states = () => bob.from('contract_states');
      await states().upsert({ label: 'mine', count: 1 });

      const merged = await states()
        .upsert({ label: 'mine', count: 2 }, { onConflict: 'label' })
        .select('count')
        .single();
      const ignored = await states()
        .upsert({ label: 'mine', count: 3 }, { onConflict: 'label', ignoreDuplicates: true })
        .select();
      const { data } = await states().select('count').single();

      expect(merged.data).toEqual({ count: 2 });
      expect(ignored.data).toEqual([]);
      expect(data).toEqual({ count: 2 });
    });

    test('undoes a write that had to answer one row and did not', async () => {
      const { error } = await bob
        .from('contract_notes')
        .insert([{ title: 'pair' }, { title: 'pair' }])
        .select()
        .single();
      const { count } = await bob
        .from('contract_notes')
        .select('*', { count: 'exact', head: true })
        .eq('title', 'pair');

      expect([error?.code, count]).toEqual(['PGRST116', 0]);
    });

    test('lets a visitor write where he may not read', async () => {
      const { status, error } = await server.visitor().from('contract_drop').insert({ message: 'hello' });
      const read = await server.visitor().from('contract_drop').insert({ message: 'hello' }).select();

      expect([status, error]).toEqual([201, null]);
      expect([read.status, read.error?.code]).toEqual([401, '42501']);
    });

    test('refuses to change or delete everything', async () => {
      const changed = await bob.from('contract_notes').update({ title: 'all' });
      const gone = await bob.from('contract_notes').delete();

      expect([changed.status, changed.error?.code]).toEqual([400, '21000']);
      expect([gone.status, gone.error?.code]).toEqual([400, '21000']);
    });

    test.each<[string, string, string, number, string]>([
      ['no JSON', 'POST', '{', 400, 'PGRST102'],
      ['a list of numbers', 'POST', '[1]', 400, 'PGRST102'],
      ['rows of different shape', 'POST', '[{"title": "a"}, {"score": 1}]', 400, 'PGRST102'],
      ['an escaped NUL', 'POST', '{"title": "a\\u0000b"}', 400, 'PGRST102'],
      ['more than 1,000 rows', 'POST', `[${'{"title":"a"},'.repeat(1000)}{"title":"a"}]`, 400, 'PGRST102'],
      ['more than 1 MiB', 'POST', `{"title": "${'x'.repeat(1024 * 1024)}"}`, 413, 'PGRST102'],
      [
        'lists nested without end',
        'POST',
        `{"title": "a", "data": ${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
        400,
        'PGRST102',
      ],
      ['a column that is not there', 'POST', '{"nope": 1}', 400, '42703'],
      ['a column by prototype', 'POST', '{"__proto__": 1}', 400, '42703'],
      ['the wrong type', 'POST', '{"title": "a", "score": "many"}', 400, '22P02'],
      ['a broken check', 'POST', `{"title": "${'x'.repeat(51)}"}`, 400, '23514'],
      ['a missing value', 'POST', '{"score": 1}', 400, '23502'],
      ["another's name", 'POST', `{"title": "a", "user_id": "${TAG}"}`, 403, '42501'],
      ['another method', 'PUT', '{"title": "a"}', 405, 'PGRST117'],
    ])('refuses %s', async (_what, method, body, status, code) => {
      const answer = await asAda('/contract_notes', { method, headers: JSON_TYPE, body });

      expect(await codeOf(answer)).toEqual([status, code]);
    });

    test('names duplicates and broken references', async () => {
      await ada.from('contract_states').upsert({ label: 'taken' });

      const duplicate = await ada.from('contract_states').insert({ label: 'other' });
      const reference = await ada.from('contract_states').update({ note_id: -5 }).eq('label', 'taken');

      expect([duplicate.status, duplicate.error?.code]).toEqual([409, '23505']);
      expect([reference.status, reference.error?.code]).toEqual([409, '23503']);
    });
  });

  describe('procedures', () => {
    test('take named arguments by POST and by GET, defaults included', async () => {
      const posted = await ada.rpc('contract_add', { a: 1, b: 2 });
      const defaulted = await ada.rpc('contract_add', { a: 1 });
      const got = await ada.rpc('contract_add', { a: 5, b: 6 }, { get: true });

      expect([posted.data, defaulted.data, got.data]).toEqual([3, 11, 11]);
    });

    test('take JSON, lists and times', async () => {
      const args = { p_data: { deep: [1, { x: null }] }, p_list: ['a,b', '"c"'], p_at: '2026-01-02T03:04:05Z' };

      const { data } = await ada.rpc('contract_echo', args);

      expect(data).toEqual({ data: args.p_data, list: args.p_list, at: '2026-01-02T03:04:05+00:00' });
    });

    test('give rows that can be filtered, ordered, paged and counted', async () => {
      const { data, count } = await ada
        .rpc('contract_series', { p_to: 10 }, { count: 'exact' })
        .select('square')
        .gt('n', 3)
        .order('n', { ascending: false })
        .limit(2);
      const got = await ada.rpc('contract_series', { p_to: 4 }, { get: true }).eq('n', 2).single();

      expect([data, count]).toEqual([[{ square: 100 }, { square: 81 }], 7]);
      expect(got.data).toEqual({ n: 2, square: 4 });
    });

    test('give single columns, plain values and nothing as the hosted service does', async () => {
      const one = await ada.rpc('contract_one');
      const values = await ada.rpc('contract_values');
      const nothing = await ada.rpc('contract_write', { p_title: 'by procedure' });

      expect([one.data, values.data]).toEqual([[{ answer: 42 }], ['a', 'b']]);
      expect([nothing.status, nothing.data, nothing.error]).toEqual([204, null, null]);
      const { count } = await ada.from('contract_notes').delete({ count: 'exact' }).eq('title', 'by procedure');
      expect(count).toBe(1);
    });

    test('run under the caller', async () => {
      const { data } = await bob.rpc('contract_my_notes').select('title').eq('title', 'alpha');

      expect(data).toEqual([]);
    });

    test('are undone when one row was asked for and several came', async () => {
      const { error } = await ada.rpc('contract_write_many', { p_titles: ['twice', 'twice'] }).single();
      const { count } = await ada
        .from('contract_notes')
        .select('*', { count: 'exact', head: true })
        .eq('title', 'twice');

      expect([error?.code, count]).toEqual(['PGRST116', 0]);
    });

    test('choose their status, and keep message, details and hint', async () => {
      const teapot = await ada.rpc('contract_raise', { p_code: 'PT418' });
      const plain = await ada.rpc('contract_raise', { p_code: 'P0001' });

      expect(teapot.status).toBe(418);
      expect(teapot.error).toMatchObject({ message: 'no tea', details: 'short and stout', hint: 'try coffee' });
      expect([plain.status, plain.error?.code]).toEqual([400, 'P0001']);
    });

    test('tell nothing of what broke inside', async () => {
      const { status, error } = await ada.rpc('contract_raise', { p_code: 'XX000' });

      expect([status, error?.message]).toEqual([500, 'Something went wrong on our side.']);
    });

    test.each<[string, string, string, number, string]>([
      ['an unknown name', 'POST', '/rpc/contract_nothing', 404, 'PGRST202'],
      ['an unknown name by GET', 'GET', '/rpc/contract_nothing?a=1', 404, 'PGRST202'],
      ['a missing argument', 'POST', '/rpc/contract_add', 404, 'PGRST202'],
      ['a function that writes, by GET', 'GET', '/rpc/contract_write?p_title=x', 405, '25006'],
      ['another method', 'DELETE', '/rpc/contract_add', 405, 'PGRST101'],
      ['a function of the server itself', 'POST', '/rpc/pg_sleep', 404, 'PGRST202'],
      ['a function without grant', 'POST', '/rpc/contract_closed', 403, '42501'],
      ['a wrong value', 'GET', '/rpc/contract_add?a=x', 400, '22P02'],
    ])('refuse %s', async (_what, method, path, status, code) => {
      const answer = await asAda(path, { method, headers: JSON_TYPE, ...(method === 'POST' ? { body: '{}' } : {}) });

      expect(await codeOf(answer)).toEqual([status, code]);
    });
  });

  describe('the door', () => {
    test.each<[string, string, RequestInit, number, string]>([
      ['an unknown table', '/contract_nothing', {}, 404, 'PGRST205'],
      ['a table outside the schema', '/contract_secret', {}, 404, 'PGRST205'],
      ['a table with its schema', '/private.contract_secret', {}, 404, 'PGRST205'],
      ['a table of the server itself', '/pg_authid', {}, 404, 'PGRST205'],
      ['another schema to read', '/contract_secret', { headers: { 'accept-profile': 'private' } }, 406, 'PGRST106'],
      [
        'another schema to write',
        '/contract_secret',
        { method: 'POST', body: '{}', headers: { 'content-profile': 'private', ...JSON_TYPE } },
        406,
        'PGRST106',
      ],
      ['an unknown column', '/contract_notes?select=nope', {}, 400, '42703'],
      ['an unknown column in a filter', '/contract_notes?nope=eq.1', {}, 400, '42703'],
      ['an unknown column in a group', '/contract_notes?or=(nope.eq.1,id.eq.1)', {}, 400, '42703'],
      ['an unknown column in the order', '/contract_notes?order=nope', {}, 400, '42703'],
      ['an embedded table', '/contract_notes?select=id,contract_states(*)', {}, 400, 'PGRST100'],
      ['an unknown operator', '/contract_notes?title=fts.x', {}, 400, 'PGRST100'],
      ['an unknown preference', '/contract_notes', { headers: { prefer: 'tx=rollback' } }, 400, 'PGRST100'],
      ['a NUL in the address', '/contract_notes?title=eq.a%00b', {}, 400, 'PGRST100'],
      ['a value of the wrong type', '/contract_notes?score=eq.x', {}, 400, '22P02'],
      ['another media type', '/contract_notes', { headers: { accept: 'text/csv' } }, 406, 'PGRST107'],
      [
        'another content type',
        '/contract_notes',
        { method: 'POST', body: 'title=a', headers: { 'content-type': 'text/plain' } },
        415,
        'PGRST102',
      ],
      ['the schema', '/', {}, 404, 'PGRST125'],
    ])('refuses %s', async (_what, path, init, status, code) => {
      expect(await codeOf(await asAda(path, init))).toEqual([status, code]);
    });

    test('refuses a missing api key, a bad token and an expired one, and says how to sign in', async () => {
      const bare = await fetch(`${server.url}/rest/v1/contract_notes`);
      const bad = await server.request('/rest/v1/contract_notes', { headers: { authorization: 'Bearer a.b.c' } });
      const basic = await server.request('/rest/v1/contract_notes', { headers: { authorization: 'Basic YTpi' } });
      const old = await server.keys.sign({ role: 'authenticated', sub: TAG }, 1_000_000, 1_000_001);
      const expired = await server.request('/rest/v1/contract_notes', { headers: { authorization: `Bearer ${old}` } });

      expect(await codeOf(bare.clone())).toEqual([401, 'PGRST302']);
      expect(await codeOf(bad)).toEqual([401, 'PGRST301']);
      expect(await codeOf(basic)).toEqual([401, 'PGRST301']);
      expect(await codeOf(expired.clone())).toEqual([401, 'PGRST303']);
      expect(expired.headers.get('www-authenticate')).toContain('invalid_token');
    });

    test('a visitor reads nothing and writes nothing', async () => {
      const visitor = server.visitor();

      const read = await visitor.from('contract_notes').select();
      const written = await visitor.from('contract_notes').insert({ title: 'x' });
      const called = await visitor.rpc('contract_closed');

      expect([read.status, read.error?.code, read.data]).toEqual([401, '42501', null]);
      expect([written.status, written.error?.code]).toEqual([401, '42501']);
      expect([called.status, called.error?.code]).toEqual([401, '42501']);
    });

    test('the client library says what was not understood', async () => {
      const { error } = await ada.from('contract_notes').select('id, contract_states(count)');

      expect(error).toMatchObject({ code: 'PGRST100', message: expect.stringContaining('select'), hint: null });
    });
  });

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
        const answer = await asAda(pathOf(encodeURIComponent(payload)));
        const text = await answer.text();

        expect(answer.status, `${payload}: ${text}`).toBeLessThan(500);
        expect(text).not.toContain('hidden');
        expect(text).not.toContain('of bob');
      }
      expect(await server.database.query(OWNER, 'select word from private.contract_secret')).toEqual([
        { word: 'hidden' },
      ]);
    });

    test('in a row is only text', async () => {
      for (const title of PAYLOADS.filter((payload) => payload.length <= 50)) {
        const { data } = await ada
          .from('contract_notes')
          .insert({ title, 'Odd "name, col)': title })
          .select('title')
          .single();
        expect(data).toEqual({ title });
        const found = await ada.from('contract_notes').select('title').eq('title', title);
        expect(found.data).toEqual([{ title }]);
        await ada.from('contract_notes').delete().eq('title', title);
      }
    });
  });

  test('320 reads at once under four roles never show a row of somebody else', async () => {
    const service = server.service();
    const visitor = server.visitor();
    const readers = [
      {
        client: ada,
        allowed: (names: unknown[]) => names.length > 0 && !names.includes('of bob') && names.includes('alpha'),
      },
      { client: bob, allowed: (names: unknown[]) => names.includes('of bob') && !names.includes('alpha') },
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

  test('a new table is found once the catalogue is told', async () => {
    await server.database.query(OWNER, 'create table public.contract_new (id integer)');
    await server.database.query(OWNER, 'grant select on public.contract_new to authenticated');
    await server.database.query(OWNER, 'alter table public.contract_new enable row level security');
    await server.database.query(OWNER, 'notify pgrst');

    await expect.poll(async () => (await ada.from('contract_new').select()).status, { timeout: 5000 }).toBe(200);
  });
});
