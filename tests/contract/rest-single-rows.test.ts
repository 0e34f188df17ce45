/**
 * Writes that must change exactly one row, whether or not they read it back, and what remains of those that don't.
 */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables } from './support/data/rest.ts';

const OBJECT = { accept: 'application/vnd.pgrst.object+json' };

// On one kind by day: rest-model-writes.test.ts runs generated writes on both.
describeBothAtNight('a write of one row', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));
  const notes = () => rest().ada.from('contract_notes');

  /** Every row of every user, and what the writes left elsewhere. */
  async function stored(): Promise<unknown> {
    const rows = await rest().server.database.query(
      OWNER,
      `select (select json_agg(n order by n.id) from public.contract_notes n)::text as notes,
              (select json_agg(s order by s.user_id) from public.contract_states s)::text as states,
              (select count(*)::int from private.contract_trail) as trail`,
    );
    return rows[0];
  }

  describe.each(['', 'return=minimal', 'return=representation'])('the preference %j', (prefer) => {
    const headers = { ...JSON_TYPE, ...OBJECT, prefer };

    test.each<[string, string, string, string, number]>([
      ['an update of several rows', 'PATCH', '/contract_notes?score=gte.1', '{"title": "same"}', 3],
      ['an update of none', 'PATCH', '/contract_notes?score=eq.77', '{"title": "same"}', 0],
      ['an empty update', 'PATCH', '/contract_notes?score=eq.1', '{}', 0],
      ['a delete of several rows', 'DELETE', '/contract_notes?score=in.(1, 2)', '', 2],
      ['a delete of none', 'DELETE', '/contract_notes?score=in.( )', '', 0],
      ['an insert of several rows', 'POST', '/contract_notes', '[{"title": "a"}, {"title": "b"}]', 2],
      ['an insert of none', 'POST', '/contract_notes', '[]', 0],
      ['an insert of none with columns', 'POST', '/contract_notes?columns=title', '[]', 0],
    ])('refuses %s and rolls it back', async (_what, method, path, body, rows) => {
      const before = await stored();

      const answer = await rest().asAda(path, { method, headers, ...(body === '' ? {} : { body }) });

      expect([answer.status, await answer.json()]).toEqual([
        406,
        {
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: `The result contains ${rows} rows`,
          hint: null,
        },
      ]);
      expect(await stored()).toEqual(before);
    });
  });

  test('refuses an upsert whose only row is an ignored duplicate', async () => {
    await rest().ada.from('contract_states').upsert({ label: 'mine', count: 1 });
    const before = await stored();

    const answer = await rest().asAda('/contract_states?on_conflict=label', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...OBJECT, prefer: 'resolution=ignore-duplicates' },
      body: '{"label": "mine", "count": 9}',
    });

    expect(await codeOf(answer)).toEqual([406, 'PGRST116']);
    expect(await stored()).toEqual(before);
  });

  test('changes the only row through the client library', async () => {
    const inserted = await notes().insert({ title: 'only' }).single();
    const changed = await notes().update({ score: 40 }).eq('title', 'only').single();
    const read = await notes().select('title').eq('score', 40);
    const deleted = await notes().delete().eq('score', 40).single();

    expect([inserted.status, changed.status, deleted.status]).toEqual([201, 204, 204]);
    expect([inserted.error, changed.error, deleted.error]).toEqual([null, null, null]);
    expect(read.data).toEqual([{ title: 'only' }]);
  });

  test("counts the rows that the caller may change, and leaves other users' rows", async () => {
    await rest().bob.from('contract_notes').insert({ title: 'shared name' });
    await notes().insert({ title: 'shared name' });

    const changed = await notes().update({ score: 41 }).eq('title', 'shared name').single();
    const bobs = await rest().bob.from('contract_notes').select('score').eq('title', 'shared name');
    const theirs = await notes().delete().eq('title', 'of bob').single();

    expect([changed.status, bobs.data]).toEqual([204, [{ score: null }]]);
    expect([theirs.status, theirs.error?.code]).toEqual([406, 'PGRST116']);
    expect((await rest().bob.from('contract_notes').select('title').eq('title', 'of bob')).data).toHaveLength(1);
    await notes().delete().eq('title', 'shared name');
  });

  test('refuses an empty insert that requests its row, and otherwise returns an empty list', async () => {
    const single = await notes().insert([]).select().single();
    const list = await notes().insert([]).select();
    const visitor = await rest().server.visitor().from('contract_notes').insert([]);

    expect([single.status, single.error?.code]).toEqual([406, 'PGRST116']);
    expect([list.status, list.data]).toEqual([201, []]);
    expect([visitor.status, visitor.error?.code]).toEqual([401, '42501']);
  });

  test('refuses several plain values of a function in the same way', async () => {
    const values = await rest().ada.rpc('contract_values').single();
    const one = await rest().ada.rpc('contract_values').limit(1).single();
    const plain = await rest().ada.rpc('contract_add', { a: 1 }).single();

    expect([values.status, values.error?.details]).toEqual([406, 'The result contains 2 rows']);
    expect([one.data, plain.data]).toEqual(['a', 11]);
  });
});
