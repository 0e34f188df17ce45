/** Details in which clients lean on PostgREST: blanks, pages below zero, conflicts, arrays of one, and hints. */
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables, titles } from './support/data/rest.ts';

describeBothAtNight('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));
  const titlesOf = async (query: string, headers: HeadersInit = {}) => {
    const answer = await rest().asAda(`/contract_notes?select=title&order=id&${query}`, { headers });
    return [answer.status, titles(await answer.json())];
  };

  test.each([
    'or=(or(score.eq.3,score.eq.1),score.eq.9)',
    'or=(or (score.eq.3,score.eq.1),score.eq.9)',
    'or= ( or ( score.eq.3,score.eq.1 ) , score.eq.9) ',
    'or=(not.and (not.or(score.eq.3,score.eq.1),score.not.is.null),score.eq.9)&score=not.is.null',
    'and=(or\t(score.eq.3,score.eq.1))',
  ])('reads a group with blanks around its parentheses: %j', async (query) => {
    expect(await titlesOf(encodeURI(query))).toEqual([200, ['alpha', 'beta']]);
  });

  test('begins a page of a negative offset at the first row', async () => {
    const all = ['alpha', 'beta', 'gamma, "delta"', '100%_sure'];
    expect(await titlesOf('offset=-4')).toEqual([200, all]);
    expect(await titlesOf('offset=-2&limit=3')).toEqual([200, all.slice(0, 1)]);
    expect(await titlesOf('limit=0')).toEqual([200, []]);
    expect(await titlesOf('limit=0', { range: '2-' })).toEqual([200, []]);
    const called = await rest().asAda('/rpc/contract_series?p_to=3&offset=-4&limit=5');
    expect([called.status, await called.json()]).toMatchObject([200, { length: 1 }]);
  });

  test.each([
    ['a negative limit', 'limit=-1', {}],
    ['a limit that ends before the first row', 'limit=2&offset=-4', {}],
    ['a limit that ends before the range', 'limit=2', { range: '5-9' }],
  ])('answers 416 for %s', async (_what, query, headers) => {
    for (const path of ['/contract_notes?', '/rpc/contract_series?p_to=3&']) {
      const answer = await rest().asAda(`${path}${query}`, { headers });
      expect([answer.status, answer.headers.get('proxy-status'), await answer.json()]).toMatchObject([
        416,
        'PostgREST; error=PGRST103',
        {
          code: 'PGRST103',
          message: 'Requested range not satisfiable',
          details: 'Limit should be greater than or equal to zero.',
        },
      ]);
    }
  });

  test('inserts with on_conflict alone as without it: a row that exists is 409', async () => {
    const insert = (id: number) =>
      rest().asAda('/contract_notes?on_conflict=id', {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ id, title: `note ${id}` }),
      });

    expect((await insert(9001)).status).toBe(201);
    expect(await codeOf(await insert(9001))).toEqual([409, '23505']);
    await rest().ada.from('contract_notes').delete().eq('id', 9001);
  });

  test('updates from an array of one with every digit, and refuses several', async () => {
    const update = (body: string) =>
      rest().asAda('/contract_notes?title=eq.beta&select=price', {
        method: 'PATCH',
        headers: { ...JSON_TYPE, prefer: 'return=representation' },
        body,
      });

    const answer = await update(' [ {"price": 12345678901234567890.5} ] ');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('12345678901234567890.5')]);
    for (const body of ['[]', '[1]', '[[{"price":1}]]', '[{"price":1},{"price":2}]'])
      expect(await codeOf(await update(body))).toEqual([400, 'PGRST102']);
    expect((await update('{"price":null}')).status).toBe(200);
  });

  test('answers a call with an unknown argument as one of an unknown function, by every method', async () => {
    const hint = 'Perhaps you meant to call the function public.contract_add(a, b)';
    for (const method of ['GET', 'HEAD', 'POST']) {
      const body = method === 'POST' ? { body: '{"a":"1","c":"x"}' } : {};
      const query = method === 'POST' ? '' : '?a=1&c=x';
      const answer = await rest().asAda(`/rpc/contract_add${query}`, { method, headers: JSON_TYPE, ...body });
      expect([method, answer.status, answer.headers.get('proxy-status')]).toEqual([
        method,
        404,
        'PostgREST; error=PGRST202',
      ]);
      if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ code: 'PGRST202', hint });
    }
    // Filters of rows remain filters, also those that are refused.
    expect((await rest().asAda('/rpc/contract_series?p_to=3&n=gt.1')).status).toBe(200);
    expect(await codeOf(await rest().asAda('/rpc/contract_series?p_to=3&n=fts.x'))).toEqual([400, 'PGRST100']);
    expect(await codeOf(await rest().asAda('/rpc/contract_series?p_to=3&nope=gt.1'))).toEqual([400, '42703']);
  });

  test.each([
    ['a table', '/contract_note', "Perhaps you meant the table 'public.contract_notes'"],
    ['no table', '/zzz', null],
    ['a column', '/contract_notes?scor=eq.1', 'Perhaps you meant to reference the column "contract_notes.score".'],
    ['a column', '/contract_notes?select=titel', 'Perhaps you meant to reference the column "contract_notes.title".'],
    ['no column', '/contract_notes?zzz=eq.1', null],
    ['a function', '/rpc/contract_ad?a=1', 'Perhaps you meant to call the function public.contract_add'],
    ['no function', '/rpc/zzz', null],
  ])('names %s that is near a mistyped name: %s', async (_what, path, hint) => {
    expect(await (await rest().asAda(path)).json()).toMatchObject({ hint });
  });
});
