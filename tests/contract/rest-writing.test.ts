/** Rows inserted, changed, merged and deleted, and the bodies that are refused. */
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables, TAG } from './support/data/rest.ts';

// On one kind by day: rest-model-writes.test.ts runs generated writes on both.
describeBothAtNight('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));

  describe('writing', () => {
    test('inserts one row and many, and returns them on request', async () => {
      const one = await rest().bob.from('contract_notes').insert({ title: 'one' });
      const many = await rest()
        .bob.from('contract_notes')
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

    test('preserves every digit of an inserted number', async () => {
      const { data } = await rest()
        .bob.from('contract_notes')
        .insert({ title: 'digits', price: 0.1 })
        .select('id')
        .single();
      const answer = await rest().asAda('/contract_notes?select=price', {
        method: 'POST',
        headers: { ...JSON_TYPE, prefer: 'return=representation' },
        body: '{"title": "precise", "price": 12345678901234567890.123456789}',
      });

      expect(data?.id).toBeGreaterThan(0);
      expect(await answer.text()).toBe('[{"price":12345678901234567890.123456789}]');
      await rest().ada.from('contract_notes').delete().eq('title', 'precise');
    });

    test('updates and deletes only rows that match the filter and the policy', async () => {
      const { data: inserted } = await rest()
        .bob.from('contract_notes')
        .insert({ title: 'draft' })
        .select('id')
        .single();

      const changed = await rest()
        .bob.from('contract_notes')
        .update({ title: 'final', data: { v: 2 } })
        .eq('id', inserted?.id)
        .select('title, data');
      const foreign = await rest()
        .ada.from('contract_notes')
        .update({ title: 'stolen' })
        .eq('id', inserted?.id)
        .select();
      const deleted = await rest().bob.from('contract_notes').delete({ count: 'exact' }).eq('id', inserted?.id);

      expect(changed.data).toEqual([{ title: 'final', data: { v: 2 } }]);
      expect(foreign.data).toEqual([]);
      expect([deleted.status, deleted.count]).toEqual([204, 1]);
    });

    test('accepts a write that touches no row when nothing is read back', async () => {
      const states = () => rest().ada.from('contract_states');
      await states().upsert({ label: 'there', count: 1 });

      const repeated = await states().upsert(
        { label: 'there', count: 2 },
        { onConflict: 'label', ignoreDuplicates: true },
      );
      const unmatched = await states().update({ count: 3 }).eq('label', 'nowhere');
      const deleted = await rest().ada.from('contract_notes').delete().eq('title', 'nowhere');

      expect([repeated.error, unmatched.error, deleted.error]).toEqual([null, null, null]);
      expect([repeated.status, unmatched.status, deleted.status]).toEqual([201, 204, 204]);
    });

    test('upserts by primary key and by another unique column', async () => {
      const states = () => rest().bob.from('contract_states');
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

    test('rolls back a write that returns more rows than the one requested', async () => {
      const { error } = await rest()
        .bob.from('contract_notes')
        .insert([{ title: 'pair' }, { title: 'pair' }])
        .select()
        .single();
      const { count } = await rest()
        .bob.from('contract_notes')
        .select('*', { count: 'exact', head: true })
        .eq('title', 'pair');

      expect([error?.code, count]).toEqual(['PGRST116', 0]);
    });

    test('lets a visitor write to a table they may not read', async () => {
      const { status, error } = await rest().server.visitor().from('contract_drop').insert({ message: 'hello' });
      const read = await rest().server.visitor().from('contract_drop').insert({ message: 'hello' }).select();

      expect([status, error]).toEqual([201, null]);
      expect([read.status, read.error?.code]).toEqual([401, '42501']);
    });

    test('refuses to change or delete every row', async () => {
      const changed = await rest().bob.from('contract_notes').update({ title: 'all' });
      const deleted = await rest().bob.from('contract_notes').delete();

      expect([changed.status, changed.error?.code]).toEqual([400, '21000']);
      expect([deleted.status, deleted.error?.code]).toEqual([400, '21000']);
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
      ['a column that is not there', 'POST', '{"nope": 1}', 400, 'PGRST204'],
      ['a column by prototype', 'POST', '{"__proto__": 1}', 400, 'PGRST204'],
      ['the wrong type', 'POST', '{"title": "a", "score": "many"}', 400, '22P02'],
      ['a broken check', 'POST', `{"title": "${'x'.repeat(51)}"}`, 400, '23514'],
      ['a missing value', 'POST', '{"score": 1}', 400, '23502'],
      ["another's name", 'POST', `{"title": "a", "user_id": "${TAG}"}`, 403, '42501'],
      ['another method', 'PUT', '{"title": "a"}', 405, 'PGRST117'],
    ])('refuses %s', async (_what, method, body, status, code) => {
      const answer = await rest().asAda('/contract_notes', { method, headers: JSON_TYPE, body });

      expect(await codeOf(answer)).toEqual([status, code]);
    });

    test('returns 409 for duplicates and broken references', async () => {
      await rest().ada.from('contract_states').upsert({ label: 'taken' });

      const duplicate = await rest().ada.from('contract_states').insert({ label: 'other' });
      const reference = await rest().ada.from('contract_states').update({ note_id: -5 }).eq('label', 'taken');

      expect([duplicate.status, duplicate.error?.code]).toEqual([409, '23505']);
      expect([reference.status, reference.error?.code]).toEqual([409, '23503']);
    });
  });
});
