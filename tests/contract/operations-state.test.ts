/**
 * The operator's view as the server returns it: to admins only, without addresses, with everything that needs
 * attention.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { operationsStateSchema } from '#domain/operations/operations-state.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { SHIPPED_MODELS } from '../support/servers/whole-server.ts';
import { openBillingWorld, type Person } from '../support/worlds/billing-world.ts';

/** The server caches its answer for two seconds. */
const CACHED_MS = 2100;

describeOneDatabase('the operator’s view', (kind) => {
  const world = openedForTests(() => openBillingWorld(kind, { hasCommunity: true, modelsDir: SHIPPED_MODELS }));
  let admin: Person;
  let user: Person;

  const sql = (text: string, params: readonly unknown[] = []) => world().database.query(OWNER, text, params);
  let lastAtMs = 0;
  /** Bypasses an answer that the server cached for an earlier call. */
  async function state() {
    await sleep(Math.max(0, lastAtMs + CACHED_MS - performance.now()));
    const { status, body } = await world().call(admin, 'operations-state');
    lastAtMs = performance.now();
    expect(status).toBe(200);
    return operationsStateSchema.parse(body);
  }

  beforeAll(async () => {
    admin = await world().signUp('Chief');
    user = await world().signUp('Guest');
    await sql("update public.profiles set role = 'admin' where id = $1::text::uuid", [admin.id]);
  });

  test('reports every part', async () => {
    const reported = await state();

    expect(reported.process.version).toMatch(/^\d/);
    expect(reported.process.rssMb).toBeGreaterThan(50);
    expect(reported.database).toMatchObject({ kind, latencyMs: expect.any(Number) });
    expect(Math.abs(reported.database.nowMs - Date.now())).toBeLessThan(60_000);
    expect(reported.market).toMatchObject({ kind: 'simulated', store: null, book: { readers: 0 } });
    expect(reported.jobs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['billing-sweep', 'simulated:fear-greed']),
    );
    expect(reported.jobs.filter(({ isOurs }) => !isOurs)).toEqual([]);
    expect(reported.models.map(({ name, state: now }) => [name, now])).toContainEqual(['lion', 'ready']);
    expect(reported.payments).toMatchObject({ mode: 'sandbox', openAlarms: { count: 0 } });
    expect(reported.record).toEqual({
      isIssuing: false,
      issued: 0,
      known: 0,
      void: 0,
      missed: 0,
      newestAtMs: null,
      sealedHourS: null,
      signedDay: null,
    });
    expect(reported.mail.isSending).toBe(true);
    expect(reported.news.length).toBeGreaterThan(0);
    expect(reported.news.every(({ host }) => !/[:?#]/.test(host))).toBe(true);
  });

  test('refuses users, visitors and an admin who has not shown the second factor', async () => {
    for (const name of ['operations-state', 'operations-acknowledge-alarm']) {
      const { status, body } = await world().call(user, name, { id: crypto.randomUUID() });
      expect([name, status, body.code]).toEqual([name, 403, 'auth/forbidden']);
      expect((await fetch(`${world().url}/functions/v1/${name}`, { method: 'POST' })).status).toBe(401);
    }
    const careful = await world().signUp('Careful');
    await sql("update public.profiles set role = 'admin' where id = $1::text::uuid", [careful.id]);
    await sql(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1::text::uuid, 'phone', 'totp', 'verified', 'x', now(), now())`,
      [careful.id],
    );
    const { status, body } = await world().call(careful, 'operations-state');
    expect([status, body.code]).toEqual([403, 'auth/second-factor-needed']);
  });

  test('shows a billing alarm until an admin acknowledges it, which leaves one audit row', async () => {
    const [alarm] = await sql(
      "insert into public.billing_alarms (kind, subject) values ('dispute', 'dp_1') returning id::text as id",
    );
    const id = String(alarm?.id);
    const before = await state();
    expect(before.payments.alarms).toMatchObject([{ id, kind: 'dispute', subject: 'dp_1', count: 1 }]);
    expect(before.attention).toContainEqual({
      level: 'urgent',
      kind: 'billing-alarms',
      text: '1 billing alarm is open: dispute.',
    });

    const acknowledge = () => world().call(admin, 'operations-acknowledge-alarm', { id });
    expect(await acknowledge()).toEqual({ status: 200, body: { ok: true } });
    expect(await acknowledge()).toEqual({ status: 200, body: { ok: true, already_done: true } });

    expect((await state()).payments).toMatchObject({ openAlarms: { count: 0 }, alarms: [] });
    expect(
      await sql("select actor_id, subject, details from private.audit_log where action = 'alarm.acknowledge'"),
    ).toEqual([{ actor_id: admin.id, subject: id, details: { kind: 'dispute', subject: 'dp_1', count: 1 } }]);
    expect((await world().call(admin, 'operations-acknowledge-alarm', { id: 'x' })).status).toBe(400);
  });

  test('counts stuck webhooks, failed emails, refused pushes and late deliveries without addresses or texts', async () => {
    await sql(
      `insert into private.outgoing_mail (kind, to_address, subject, text_body, state, attempts, next_try_at, last_error, created_at)
       values ('receipt', 'somebody@example.com', 'Your receipt', 'secret words', 'failed', 6, now(), 'status 550', now())`,
    );
    await sql(
      `insert into public.stripe_events (event_id, type, livemode, created, received_at, attempts, last_error, claimed_until)
       values ('evt_stuck', 'x', false, 1, now() - interval '2 hours', 7, 'internal', now() + interval '1 hour')`,
    );
    await sql(
      `with device as (insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
         select id, 'https://push.example/secret', repeat('a', 64), repeat('B', 87), repeat('A', 22), 'secret words' from auth.users limit 1
         returning id)
       insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, state, next_try_at, expires_at, last_error, created_at)
       select id, state, 'secret words', 'secret words', '/', state, now(), now(), case state when 'failed' then '403' end, now()
         from device, unnest(array['waiting', 'failed']) state`,
    );
    await sql(
      `with added as (insert into public.webhook_endpoints (user_id, url, events, secret, failures, failing_since, next_try_at, state, pause_reason, paused_at)
         select u.id, 'https://secret-words.example/' || e.name, '{alert.created}', 'whsec_' || repeat('a', 43), e.failures,
                case when e.failures > 0 then now() end, e.due, e.state, case e.state when 'paused' then 'failing' end,
                case e.state when 'paused' then now() end
           from (select id from auth.users limit 1) u,
                (values ('overdue', 0, now() - interval '6 minutes', 'active'), ('retries', 3, now() + interval '1 hour', 'active'),
                        ('paused', 9, now() - interval '1 day', 'paused')) e (name, failures, due, state)
         returning id, user_id, url, failures)
       insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, state, problem, created_at)
       select a.id, a.user_id, gen_random_uuid(), 'alert.created', 'secret words', d.state,
              case when a.failures > 0 and d.state = 'waiting' then 'timeout' end, now()
         from added a, unnest(array['waiting', 'delivered']) d (state)`,
    );
    await sql(
      `with chat as (insert into public.chat_channels (user_id, service, chat_id, title, state, pause_reason)
         select u.id, 'telegram', c.n::text, 'secret words', 'paused', c.reason
           from (select id from auth.users limit 1) u, (values (1, 'owner'), (2, 'blocked')) c (n, reason) returning id)
       insert into private.chat_messages (service, chat_id, key, text_body, state, next_try_at, expires_at, last_error, created_at)
       select 'telegram', '1', 'k', 'secret words', state, now() - interval '1 minute', now(), case state when 'waiting' then '401' end, now()
         from unnest(array['waiting', 'sent']) state`,
    );
    const reported = await state();

    expect(reported.chats).toMatchObject({
      linked: { count: 2 },
      paused: { count: 1 },
      waiting: { count: 1 },
      sent: 1,
      failed: 0,
      errors: [{ error: '401', count: 1 }],
    });
    expect(reported.takenAtMs - (reported.chats.dueSinceMs ?? 0)).toBeGreaterThan(50_000);
    expect(reported.deliveries).toMatchObject({
      endpoints: { count: 3 },
      paused: { count: 1 },
      failing: { count: 1 },
      // Those of a paused endpoint wait for its owner.
      waiting: { count: 2 },
      sent: 3,
      errors: [{ error: 'timeout', count: 2 }],
    });
    const overdueMs = reported.takenAtMs - (reported.deliveries.dueSinceMs ?? 0);
    expect(overdueMs).toBeGreaterThanOrEqual(6 * 60_000 - 1000);
    expect(overdueMs).toBeLessThan(60 * 60_000);
    expect(reported.push).toMatchObject({
      devices: { count: 1 },
      waiting: { count: 1 },
      failed: 1,
      errors: [{ error: '403', count: 1 }],
    });
    expect(reported.mail).toMatchObject({ failed: 1, errors: [{ kind: 'receipt', error: 'status 550', count: 1 }] });
    expect(reported.webhooks).toMatchObject({
      open: { count: 1, isMore: false },
      mostAttempts: 7,
      errors: [{ code: 'internal', count: 1 }],
    });
    expect(reported.attention.map((one) => one.kind)).toEqual(
      expect.arrayContaining(['webhooks-stuck', 'mail-failed', 'push-refused', 'deliveries-late']),
    );
    expect(JSON.stringify(reported)).not.toMatch(/somebody|secret.words|Your receipt|@/);
  });
});
