/**
 * Every table and view of the exposed schema, every role, every operation: what is allowed, tried through the client
 * library. Tables and procedures come from the catalogue, so that one added without a line here fails.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';
import {
  EXPECTED_PROCEDURES,
  EXPECTED_TABLES,
  type MatrixRole,
  OPERATIONS,
  SAMPLES,
} from './support/data/table-matrix.ts';

type Operation = (typeof OPERATIONS)[number];

// On one kind by day: grants and policies are the same migrations on both, where pgTAP tests them too.
describeBothAtNight('the access matrix', (kind) => {
  const world = openedForTests(openWorld);

  async function openWorld() {
    const server = await backendTestServer(kind);
    const [owner, other, admin] = [await server.user(), await server.user(), await server.user()];
    await server.database.query(OWNER, "update public.profiles set role = 'admin' where id = $1::text::uuid", [
      admin.id,
    ]);
    const clients: Record<MatrixRole, SupabaseClient> = {
      anonymous: server.visitor(),
      owner: owner.client,
      other: other.client,
      admin: admin.client,
      service: server.service(),
    };
    return { server, owner, clients, close: () => server.close() };
  }

  /** Restores or removes the owner's one row of the table. */
  async function reset(table: string, exists: boolean): Promise<void> {
    const { server, owner } = world();
    const sql = SAMPLES[table]?.sql(owner) ?? { remove: '', add: '' };
    await server.database.transaction(OWNER, (tx) => tx.query(`${sql.remove}; ${exists ? sql.add : ''}`));
  }

  async function attempt(table: string, role: MatrixRole, operation: Operation): Promise<string> {
    const { clients, owner } = world();
    const sample = SAMPLES[table];
    if (sample === undefined) throw new Error(`${table} has no sample row`);
    const key = sample.key(owner);
    const rows = clients[role].from(table);
    switch (operation) {
      case 'select': {
        const { data, error, status } = await rows.select(Object.keys(key).join(',')).match(key);
        return outcome(role, error?.code, status, data?.length ?? 0);
      }
      case 'insert': {
        const { error, status } = await rows.insert(sample.row(owner));
        return outcome(role, error?.code, status, 1);
      }
      case 'update': {
        const { error, status, count } = await rows.update(sample.change, { count: 'exact' }).match(key);
        return outcome(role, error?.code, status, count ?? 0);
      }
      case 'delete': {
        const { error, status, count } = await rows.delete({ count: 'exact' }).match(key);
        return outcome(role, error?.code, status, count ?? 0);
      }
    }
  }

  test('has a line for every table and view of the exposed schema', async () => {
    const found = await world().server.database.query<{ name: string }>(
      OWNER,
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    );

    expect(found.map((table) => table.name)).toEqual(Object.keys(EXPECTED_TABLES).sort());
  });

  describe.each(Object.entries(EXPECTED_TABLES))('%s', (table, expected) => {
    test.each(Object.entries(expected) as [MatrixRole, string][])('gives %s the listed rights', async (role, line) => {
      const found: string[] = [];
      for (const operation of OPERATIONS) {
        await reset(table, operation !== 'insert');
        found.push(await attempt(table, role, operation));
      }

      expect(found.join(' ')).toBe(line);
    });
  });

  test('has a line for every exposed procedure, and admits or refuses each role accordingly', async () => {
    const { server, clients } = world();
    const found = await server.database.query<{ name: string }>(
      OWNER,
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) order by 1`,
    );

    expect(found.map((one) => one.name)).toEqual(Object.keys(EXPECTED_PROCEDURES).sort());
    for (const [name, { args, mayCall }] of Object.entries(EXPECTED_PROCEDURES))
      for (const [role, client] of Object.entries(clients) as [MatrixRole, SupabaseClient][]) {
        const { error } = await client.rpc(name, args);
        expect([name, role, error?.code === '42501' ? 'refused' : 'called']).toEqual([
          name,
          role,
          mayCall.includes(role) ? 'called' : 'refused',
        ]);
      }
  });
});

/** `yes`: done or seen. `none`: allowed, but that row is out of reach. `no`: refused. `fixed`: no one can. */
function outcome(role: MatrixRole, code: string | undefined, status: number, rows: number): string {
  if (code === undefined) return rows === 1 ? 'yes' : 'none';
  if (code === '42501' && status === (role === 'anonymous' ? 401 : 403)) return 'no';
  if (code === '55000' && status === 400) return 'fixed';
  return `${status}/${code}`;
}
