/** An erased account leaves nothing in any table, and no other user loses a row. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseAccount } from '../../server/account/erasure/erase-account.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { everything, mentions } from '../support/database/account-traces.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { type FilledUser, fillUser } from '../support/worlds/filled-user.ts';

// Runs on both kinds: the tables come from the catalogues, and triggers and foreign keys delete rows.
describeEachDatabase('an erased account', (kind) => {
  let database: Database;
  let ann: FilledUser;
  let bob: FilledUser;
  const removed: string[] = [];
  const deps = (provider: { endAll(customerId: string): Promise<string | null> } | null = null) => ({
    database,
    provider: provider === null ? null : { mode: 'sandbox', ...provider },
    removeFile: async (version: string) => {
      removed.push(version);
    },
  });
  const erase = (account: string, provider?: Parameters<typeof deps>[0]) =>
    eraseAccount(deps(provider), { account, isDry: false });

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    ann = await fillUser(database, 'ann');
    bob = await fillUser(database, 'bob');
  });
  afterAll(() => database?.close());

  test('had a row in every table that refers to an account', async () => {
    const personal = await database.query<{ name: string }>(
      OWNER,
      `select distinct n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where n.nspname in ('public', 'private', 'auth', 'storage') and c.relkind = 'r'
          and (a.attname in ('user_id', 'owner_id', 'actor_id', 'author_id', 'email', 'to_address', 'customer_id', 'subscription_id', 'session_id', 'factor_id')
            or exists (select from pg_constraint k where k.conrelid = c.oid and k.confrelid = 'auth.users'::regclass))`,
    );
    const filled = new Set((await everything(database)).map(({ table }) => table));

    expect(personal.length).toBeGreaterThan(35);
    expect(personal.map(({ name }) => name).filter((name) => !filled.has(name))).toEqual([]);
  });

  test('is reported as unknown for an unknown address', async () => {
    expect(await erase('nobody@example.com')).toEqual({ kind: 'unknown' });
  });

  test('is counted first in a dry run, without a change', async () => {
    const before = await everything(database);
    const outcome = await eraseAccount(deps(), { account: 'Ann@Example.com', isDry: true });

    expect(outcome).toMatchObject({
      kind: 'would-erase',
      id: ann.id,
      files: 1,
      customers: [ann.customerId],
      running: 0,
    });
    expect(outcome.kind === 'would-erase' && outcome.rows.length).toBeGreaterThan(35);
    expect(await everything(database)).toEqual(before);
  });

  test('stays whole while it owes money or its subscriptions cannot be ended', async () => {
    const [{ status: formerStatus } = {}] = await database.query(
      OWNER,
      'select status from public.stripe_subscriptions where customer_id = $1::text',
      [ann.customerId],
    );
    await database.query(
      OWNER,
      "update public.stripe_subscriptions set status = 'active' where customer_id = $1::text",
      [ann.customerId],
    );
    const before = await everything(database);

    expect(await erase(ann.id)).toMatchObject({
      kind: 'refused',
      reason: 'plan-runs',
      message: expect.stringContaining('which this command can’t reach'),
    });
    expect(await erase(ann.id, { endAll: async (customer) => `$12.00 is owed by ${customer}` })).toEqual({
      kind: 'refused',
      reason: 'money-owed',
      message: `$12.00 is owed by ${ann.customerId}`,
    });
    expect(await everything(database)).toEqual(before);
    await database.query(
      OWNER,
      'update public.stripe_subscriptions set status = $2::text where customer_id = $1::text',
      [...[ann.customerId, formerStatus]],
    );
  });

  test('stays whole when a subscription begins while the old one is being ended', async () => {
    const before = await everything(database);
    const late =
      "insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created) values ('sub_late', $1, 'active', 2)";
    const erasure = erase(ann.id, {
      endAll: async (customer) => {
        await database.query(OWNER, late, [customer]);
        return null;
      },
    });

    await expect(erasure).rejects.toMatchObject({ code: 'billing/busy' });
    await database.query(OWNER, "delete from public.stripe_subscriptions where subscription_id = 'sub_late'");
    expect(await everything(database)).toEqual(before);
  });

  test('leaves no trace, loses its files, and costs no other user a row', async () => {
    const cleo = await fillUser(database, 'cleo');
    // Of others: the address is only a part of theirs.
    for (const other of [`x${cleo.email}`, `first.${cleo.email}`, `${cleo.email}.au`])
      await database.query(
        OWNER,
        `insert into public.error_logs (error_message, context, fingerprint)
         values ('broken', jsonb_build_object('said', 'to ' || $1::text), repeat('0', 32))`,
        [other],
      );
    const reports = async (of: string) =>
      (
        await database.query(OWNER, 'select 1 from public.error_logs where position($1::text in context::text) > 0', [
          of,
        ])
      ).length;
    const ended: string[] = [];
    const before = await everything(database);
    expect(mentions(before, cleo).length).toBeGreaterThan(35);
    const ofOthers = before.filter((row) => mentions([row], cleo).length === 0).map(({ line }) => line);
    const outcome = await erase(cleo.email, {
      endAll: async (customer) => {
        ended.push(customer);
        return null;
      },
    });

    expect(outcome).toMatchObject({ kind: 'erased', files: 1 });
    const after = await everything(database);
    expect(mentions(after, cleo).filter(({ line }) => !line.includes('broken'))).toEqual([]);
    const left = new Set(after.map(({ line }) => line));
    expect(ofOthers.filter((line) => !left.has(line))).toEqual([]);
    expect(mentions(after, bob).length).toBe(mentions(before, bob).length);
    expect([ended, removed]).toEqual([[cleo.customerId], [cleo.fileVersion]]);
    const remaining = await database.query(
      OWNER,
      `select (select count(*)::int from public.changelog_posts where author_id is null) as posts,
              (select count(*)::int from private.votes where user_id is null) as votes,
              (select json_agg(json_build_object('actor', actor_id, 'subject', subject, 'by', details -> 'by'))
                 from private.audit_log where action = 'account.erase') as audit`,
    );
    expect(remaining).toEqual([{ posts: 1, votes: 1, audit: [{ actor: null, subject: null, by: 'command' }] }]);
    expect(await reports(cleo.email)).toBe(3);
    expect(await erase(cleo.id)).toEqual({ kind: 'unknown' });
  });
});
