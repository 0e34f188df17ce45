/**
 * One request needs one statement, sent with its role in one round trip (tests/database/round-trips.test.ts counts
 * these).
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, expect, test, vi } from 'vitest';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openRestTables } from './support/data/rest.ts';

// Runs on both kinds, because the driver uses a socket for one and an address for the other.
describeEachDatabase('database calls of a request', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));

  afterEach(() => {
    vi.useRealTimers();
  });

  type ClientCall = (client: SupabaseClient) => PromiseLike<{ status: number }>;
  test.each<[string, ClientCall, number]>([
    ['a read', (c) => c.from('contract_notes').select(), 200],
    ['a read of one row', (c) => c.from('contract_notes').select().eq('title', 'alpha').single(), 200],
    ['one row requested, four found', (c) => c.from('contract_notes').select().single(), 406],
    ['a page with its count', (c) => c.from('contract_notes').select('*', { count: 'exact' }).range(0, 1), 206],
    ['a count alone', (c) => c.from('contract_notes').select('*', { count: 'exact', head: true }), 200],
    ['an insert', (c) => c.from('contract_notes').insert({ title: 'x' }), 201],
    ['an insert read back', (c) => c.from('contract_notes').insert({ title: 'y' }).select().single(), 201],
    [
      'an insert that is undone',
      (c) =>
        c
          .from('contract_notes')
          .insert([{ title: 'z' }, { title: 'z' }])
          .select()
          .single(),
      406,
    ],
    ['an upsert', (c) => c.from('contract_states').upsert({ label: 'x', count: 1 }).select(), 201],
    ['an update', (c) => c.from('contract_notes').update({ score: 5 }).eq('title', 'x').select(), 200],
    ['a delete', (c) => c.from('contract_notes').delete().in('title', ['x', 'y']), 204],
    ['a call', (c) => c.rpc('contract_add', { a: 1, b: 2 }), 200],
    ['a call by GET', (c) => c.rpc('contract_series', { p_to: 3 }, { get: true, count: 'exact' }), 200],
  ])('queries the database once for %s', async (_what, call, status) => {
    const { ada, server } = rest();
    // A session is cached for five seconds, and the catalogue is loaded. The clock doesn't advance, so neither expires.
    vi.useFakeTimers({ toFake: ['Date'] });
    await ada.from('contract_notes').select('id').limit(1);
    const query = vi.spyOn(server.database, 'query');
    const transaction = vi.spyOn(server.database, 'transaction');

    const answer = await call(ada);

    expect([answer.status, query.mock.calls.length, transaction.mock.calls.length]).toEqual([status, 1, 0]);
    query.mockRestore();
    transaction.mockRestore();
  });
});
