/** What no request reaches: the schema's description, other schemas, system columns and functions, other grammar. */
import { describe, expect, test } from 'vitest';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables } from './support/data/rest.ts';

// Runs on both kinds, because their system columns and functions differ.
describeEachDatabase('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));
  const asService = (path: string, init: RequestInit = {}) => {
    const { url, keys } = rest().server;
    const headers = { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` };
    return fetch(`${url}/rest/v1${path}`, { ...init, headers: { ...headers, ...(init.headers ?? {}) } });
  };

  test.each(['/', '', '/?select=*', '/rpc', '/rpc/', '/contract_notes/1', '/_system/config'])(
    'returns no description for GET %s, not even to the service',
    async (path) => {
      for (const accept of ['application/openapi+json', 'application/json', '*/*']) {
        const answer = await asService(path, { headers: { accept } });
        const text = await answer.text();

        expect([404, 406]).toContain(answer.status);
        expect(text).not.toMatch(/contract_notes|"paths"|definitions|postgres:\/\//);
      }
    },
  );

  describe.each(['auth', 'private', 'storage', 'pg_catalog', 'information_schema', 'kat', 'PUBLIC', 'public,auth'])(
    'the schema %s',
    (schema) => {
      test('refuses reads, writes and calls, even by the service', async () => {
        const service = rest().server.service().schema(schema);

        const answers = [
          await service.from('users').select(),
          await service.from('users').insert({ id: 1 }),
          await service.from('users').update({ id: 1 }).eq('id', 1),
          await service.from('users').delete().eq('id', 1),
          await service.rpc('version'),
        ];

        expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [406, 'PGRST106']));
      });
    },
  );

  test.each(['ctid', 'xmin', 'xmax', 'cmin', 'tableoid', 'oid'])('refuses the system column %s', async (name) => {
    const notes = () => rest().server.service().from('contract_notes');

    const answers = [
      await notes().select(name),
      await notes().select('id').eq(name, '1'),
      await notes().select('id').order(name),
      await notes().select('id').or(`id.eq.1,${name}.is.null`),
      await notes().update({ title: 'x' }).eq(name, '1'),
    ];
    const written = [
      await notes().insert({ title: 'x', [name]: 1 }),
      await notes()
        .update({ [name]: 1 })
        .eq('id', 1),
    ];

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [400, '42703']));
    expect(written.map(({ status, error }) => [status, error?.code])).toEqual(written.map(() => [400, 'PGRST204']));
  });

  test.each(['version', 'pg_sleep', 'pg_read_file', 'current_setting', 'set_config', 'lo_import', 'dblink', 'uid'])(
    'refuses to call the function %s',
    async (name) => {
      const posted = await asService(`/rpc/${name}`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
      const got = await asService(`/rpc/${name}?a=1`);

      expect([await codeOf(posted), await codeOf(got)]).toEqual([
        [404, 'PGRST202'],
        [404, 'PGRST202'],
      ]);
    },
  );

  test.each<[string, string]>([
    ['an aggregate', 'select=count()'],
    ['an aggregate of a column', 'select=score.sum()'],
    ['a cast', 'select=id::text'],
    ['a JSON path', 'select=data->a'],
    ['a JSON path as text', 'select=data->>a'],
    ['an embedded table', 'select=id,contract_states(*)'],
    ['a spread table', 'select=id,...contract_states(label)'],
    ['an embedded table with a hint', 'select=id,contract_states!inner(*)'],
    ['a filter on an embedded table', 'contract_states.label=eq.x'],
    ['an order by an embedded table', 'order=contract_states(label).desc'],
    ['an order of an embedded table', 'contract_states.order=label'],
    ['a filter on a JSON path', 'data->>a=eq.1'],
    ...['cs', 'cd', 'ov', 'sl', 'sr', 'nxl', 'nxr', 'adj', 'fts', 'plfts', 'phfts', 'wfts', 'match', 'imatch'].map(
      (operator): [string, string] => [`the operator ${operator}`, `title=${operator}.x`],
    ),
    ['isdistinct', 'title=isdistinct.x'],
    ['a quantified operator', 'title=like(any).{a,b}'],
    ['an operator in capitals', 'title=EQ.x'],
    ['not twice', 'title=not.not.eq.x'],
    ['a group with a stray comma', 'or=(id.eq.1,)'],
    ['a group left open', 'or=(id.eq.1'],
    ['a comparison of JSON documents', 'data=eq.{}'],
    ['an order by JSON documents', 'order=data'],
    ['columns in a read', 'columns=id'],
    ['on_conflict in a read', 'on_conflict=id'],
    ['a limit that is no number', 'limit=ten'],
    ['an address without end', `title=in.(${'aaaaaaaa,'.repeat(1400)}a)`],
  ])('refuses %s in a query', async (_what, query) => {
    expect(await codeOf(await rest().asAda(`/contract_notes?${query}`))).toEqual([400, 'PGRST100']);
  });

  test.each<[string, string, string, RequestInit]>([
    ['missing=default', 'POST', '', { headers: { prefer: 'missing=default' } }],
    ['return=headers-only', 'POST', '', { headers: { prefer: 'return=headers-only' } }],
    ['a transaction to roll back', 'POST', '', { headers: { prefer: 'tx=rollback' } }],
    ['a resolution in a read', 'GET', '', { headers: { prefer: 'resolution=merge-duplicates' } }],
    ['a resolution in an update', 'PATCH', '?id=eq.1', { headers: { prefer: 'resolution=merge-duplicates' } }],
    ['a range in another unit', 'GET', '', { headers: { range: 'bytes=0-9' } }],
    ['two ranges', 'GET', '', { headers: { range: '0-1,3-4' } }],
    ['a filter on an insert', 'POST', '?id=eq.1', {}],
    ['an order of an update', 'PATCH', '?id=eq.1&order=id', {}],
    ['a limit of a delete', 'DELETE', '?id=eq.1&limit=1', {}],
    ['columns of a delete', 'DELETE', '?id=eq.1&columns=id', {}],
  ])('refuses %s, and writes nothing', async (_what, method, query, init) => {
    const hasBody = method === 'POST' || method === 'PATCH';
    const headers = { ...(hasBody ? JSON_TYPE : {}), ...(init.headers ?? {}) };

    const answer = await rest().asAda(`/contract_notes${query}`, {
      method,
      headers,
      ...(hasBody ? { body: '{"title":"never"}' } : {}),
    });

    expect(await codeOf(answer)).toEqual([400, 'PGRST100']);
    const { data } = await rest().ada.from('contract_notes').select().eq('title', 'never');
    expect(data).toEqual([]);
  });
});
