/**
 * The client library's table builders, method by method: each works as documented or is refused with its code. The
 * library is published without its own tests.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { CLIENT_METHODS, CLIENT_OPTIONS, type MethodCase, WRITTEN } from '../support/rest/rest-client-methods.ts';
import { FEATURES } from '../support/rest/rest-features.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openRestTables } from './support/data/rest.ts';

/** Used by the library itself. */
const INNER = new Set(['constructor', 'then', 'processResponse', 'cloneRequestState', 'decorateFetch']);

/** The methods of the builder and of every class it extends. */
function methodsOf(builder: object): string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(builder); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at));
  return names.filter((name) => !INNER.has(name));
}

// On one kind by day: rest-model.test.ts and rest-model-writes.test.ts run generated statements on both.
describeBothAtNight('the client library', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));
  // The reads expect ada's four notes alone.
  afterEach(async () => {
    const { database } = rest().server;
    await database.query(OWNER, 'delete from public.contract_notes where title = $1', [WRITTEN]);
    await database.query(OWNER, 'delete from public.contract_states where label = $1', [WRITTEN]);
  });

  test('has no table method that these tests do not try', () => {
    const client: SupabaseClient = rest().server.visitor();
    const builders = [client.schema('public'), client.from('a'), client.from('a').select()];

    expect(new Set(builders.flatMap(methodsOf))).toEqual(new Set(Object.keys(CLIENT_METHODS)));
  });

  async function tried({ call, expected, pick, refusal }: MethodCase): Promise<void> {
    const answer = await call(rest().ada);

    if (refusal !== null)
      expect([answer.status, answer.error?.code, answer.data]).toEqual([refusal.status, refusal.code, null]);
    else expect([answer.error, pick(answer)]).toEqual([null, expected]);
  }

  test.each(Object.entries(CLIENT_METHODS))('handles %s() as documented', (_name, method) => tried(method));

  test.each(Object.entries(CLIENT_OPTIONS))('handles %s as documented', (_name, option) => tried(option));

  describe('every part of the protocol', () => {
    test.each(FEATURES.map((one) => [`${one.part}: ${one.name}`, one] as const))('%s', async (_name, feature) => {
      const { method, path, headers, body, refusal } = feature;

      const answer = await rest().asAda(path, { method, headers, ...(body === null ? {} : { body }) });

      const text = await answer.text();
      if (refusal === null) expect([answer.ok, text]).toEqual([true, text]);
      else expect([answer.status, JSON.parse(text).code]).toEqual([refusal.status, refusal.code]);
    });
  });
});
