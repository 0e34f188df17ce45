/**
 * How PostgreSQL answers the admin's page: by index where possible, with the gate first, and candles only for the
 * returned rows.
 */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Catalogue, openCatalogue } from '../../server/backend/rest/catalogue.ts';
import type { Statement } from '../../server/backend/rest/query/conditions.ts';
import { parseQuery } from '../../server/backend/rest/query/grammar.ts';
import { readStatement } from '../../server/backend/rest/query/statement.ts';
import { callStatement, chooseProcedure } from '../../server/backend/rest/rpc.ts';
import { type Database, type DatabaseCaller, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { fillAdminCrowd } from '../support/worlds/admin-crowd.ts';

/** Enough users that reading a page by index is cheaper than the whole table. */
const CROWD = { users: 12_000, predictions: 12_000, posts: 2000 };
const LIMIT_MS = 60_000;
/** The relevant subscription is chosen among all: with so few, sorting costs less than querying each. */
const WHOLE = ['billing_prices', 'plan_limits', 'stripe_subscriptions'];
const NEWEST = 'order=role.asc,account_created_at.desc,id.asc';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'One-Time Filter'?: string | undefined;
  'Actual Rows'?: number | undefined;
  'Actual Loops'?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodMiniType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.optional(z.string()),
    'Index Name': z.optional(z.string()),
    'One-Time Filter': z.optional(z.string()),
    'Actual Rows': z.optional(z.number()),
    'Actual Loops': z.optional(z.number()),
    Plans: z.optional(z.array(planNode)),
  }),
);
const planText = z.array(z.object({ Plan: planNode }));

describeBothAtNight('query plans', (kind) => {
  const opened = openedForTests(async () => {
    const database = await openTestDatabase(kind, { statementLimitMs: LIMIT_MS, callerLimitMs: LIMIT_MS });
    const chief = await createDatabaseUser(database, 'chief@example.com');
    await database.query(OWNER, "update public.profiles set role = 'admin' where id = $1", [chief.id]);
    await fillAdminCrowd(database, CROWD);
    const reader = await openCatalogue(database);
    const catalogue = await reader.current();
    await reader.close();
    return { database, catalogue, chief, close: () => database.close() };
  });

  /** As the gateway queries it for an admin. */
  async function planOf(path: string): Promise<PlanNode[]> {
    const { database, catalogue, chief } = opened();
    return nodesOf(await explain(database, chief.caller, statementOf(catalogue, path)));
  }

  test('read a page of users by index, with the gate above every table', async () => {
    const nodes = await planOf(`rpc/admin_list_users?${NEWEST}&limit=20`);

    const scanned = scansOf(nodes);
    expect(scanned).toContainEqual(['profiles', 'profiles_admin_list_idx', 20]);
    expect(scanned).toContainEqual(['profiles', 'profiles_pkey', 20]);
    expect(WHOLE).toEqual(expect.arrayContaining(sequential(nodes)));
    expect(gates(nodes)).toBe(2);
    expect(isBehindGate(nodes)).toBe(true);
  });

  test('read candles only for the users returned, even behind an offset', async () => {
    for (const page of ['limit=20', 'limit=20&offset=1500']) {
      const read = scansOf(await planOf(`rpc/admin_list_users?${NEWEST}&${page}`)).filter(
        ([table]) => table === 'user_predictions',
      );

      expect(read).toHaveLength(1);
      expect(read[0]?.[1]).toBe('user_predictions_user_id_idx');
      expect(read[0]?.[2]).toBeLessThanOrEqual(40);
    }
    const without = await planOf(`rpc/admin_list_users?select=id,email,last_prediction_at&${NEWEST}&limit=20`);
    expect(scansOf(without).map(([table]) => table)).not.toContain('user_predictions');
  });

  test('read no table whose columns are not selected', async () => {
    const nodes = await planOf(`rpc/admin_list_users?select=id,email&${NEWEST}&limit=20`);

    expect(new Set(scansOf(nodes).map(([table]) => table))).toEqual(new Set(['profiles']));
  });

  test("count some users' reservations by index for their quotas", async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `md5('crowd:' || ${n * 5 + 1})::uuid`).join(', ');
    const { database } = opened();
    const rows = await database.query<{ id: string }>(OWNER, `select unnest(array[${ids}])::text as id`);
    const nodes = await planOf(`rpc/admin_remaining_monthly?user_id=in.(${rows.map(({ id }) => id).join(',')})`);

    const counted = scansOf(nodes).filter(([table]) => table === 'prediction_reservations');
    expect(counted.length).toBeGreaterThan(0);
    for (const [, index] of counted) expect(index).toBe('prediction_reservations_quota_idx');
    for (const table of ['profiles', 'prediction_reservations']) expect(sequential(nodes)).not.toContain(table);
    expect(isBehindGate(nodes)).toBe(true);
  });

  test("use indexes for own predictions, a day's predictions and a page of posts", async () => {
    const { database } = opened();
    const own = await planOf('user_predictions?select=id,created_at&order=created_at.desc&limit=2');
    const day = nodesOf(
      await explain(database, OWNER, {
        text: 'select count(*) from public.user_predictions where created_at >= $1::timestamptz and created_at < $2::timestamptz',
        params: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
      }),
    );
    const posts = await planOf(
      'changelog_posts?select=id,content&order=published_at.desc.nullslast,created_at.desc&limit=20',
    );

    expect(scansOf(own).map(([, index]) => index)).toContain('user_predictions_user_id_idx');
    expect(scansOf(day).map(([, index]) => index)).toContain('user_predictions_created_at_idx');
    expect(scansOf(posts)).toContainEqual(['changelog_posts', 'changelog_posts_published_idx', 20]);
    for (const nodes of [own, day, posts]) expect(sequential(nodes)).toEqual([]);
  });
});

/** @param path a request's path below /rest/v1/ */
function statementOf(catalogue: Catalogue, path: string): Statement {
  const [name = '', query = ''] = path.split('?');
  const tree = parseQuery([...new URLSearchParams(query)]);
  const options = {
    body: 'array',
    hasTotal: false,
    offset: tree.offset ?? 0,
    limit: tree.limit ?? 200,
    mustBeOneRow: false,
    maxAffected: null,
  } as const;
  if (name.startsWith('rpc/')) {
    const procedure = chooseProcedure(catalogue, name.slice('rpc/'.length), []);
    return callStatement(procedure, { kind: 'json', names: [], text: '{}' }, tree, options);
  }
  const relation = catalogue.relations.get(name);
  if (relation === undefined) throw new Error(`${name} is not there`);
  return readStatement(relation, tree, options);
}

async function explain(database: Database, caller: DatabaseCaller, { text, params }: Statement): Promise<PlanNode> {
  const [row] = await database.query(caller, `explain (analyze, timing off, format json) ${text}`, params);
  const [explained] = planText.parse(row?.['QUERY PLAN']);
  if (explained === undefined) throw new Error('no plan');
  return explained.Plan;
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Table, index (empty if none) and total number of rows read. */
function scansOf(nodes: readonly PlanNode[]): [table: string, index: string, rows: number][] {
  return nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => [
      node['Relation Name'] ?? '',
      node['Index Name'] ?? '',
      Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0)),
    ]);
}

function sequential(nodes: readonly PlanNode[]): string[] {
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '')
    .sort();
}

function gates(nodes: readonly PlanNode[]): number {
  return nodes.filter((node) => node['One-Time Filter'] !== undefined).length;
}

/** No table but the mode's own is read unless a gate was passed above it. */
function isBehindGate(nodes: readonly PlanNode[]): boolean {
  const [root] = nodes;
  if (root === undefined) return false;
  const check = (node: PlanNode, passed: boolean): boolean => {
    const isOpen = passed || node['One-Time Filter'] !== undefined;
    if (node['Relation Name'] !== undefined && !isOpen) return false;
    return (node.Plans ?? []).every((child) => check(child, isOpen));
  };
  return check(root, false);
}
