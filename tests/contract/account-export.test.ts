/** Covers the export of everything that is stored about a user. */
import { createHash } from 'node:crypto';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { EXPORT_SECTIONS } from '../../server/account/export/export-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { photograph } from '../support/browser/pictures.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { accountTestServer, functionCalls } from './support/auth/account.ts';
import { authenticatorApps } from './support/auth/factors.ts';

/** Enough predictions for several pages. */
const PREDICTIONS = 60;

describeBothAtNight('account export', (kind) => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(line) });
  const server = openedForTests(() =>
    accountTestServer(kind, { limits: { exportsPerAccount: { points: 3, perS: 3600 } }, log }),
  );
  const call = functionCalls(server);
  const { verified } = authenticatorApps(server);

  /** Inserts one row into every table that can hold data of a user. */
  async function fill(userId: string, email: string): Promise<void> {
    const customer = `cus_${userId}`;
    const statements = [
      `insert into public.user_activity (user_id, activity_type, activity_data) values ('${userId}', 'account_created', '{"mark": "${userId}"}')`,
      `insert into public.onboarding_marks (user_id, mark) values ('${userId}', 'tour-ended')`,
      `insert into public.watched_pairs (user_id, sym, timeframe, place) values ('${userId}', 'BTCUSDT.P', '5min', 1)`,
      `insert into public.paper_trades (user_id, id, market_kind, sym, side, entry_price, exit_price, opened_at, closed_at)
         values ('${userId}', replace('${userId}', '-', ''), 'simulated', 'BTCUSDT.P', 'long', 100, 101, now(), now())`,
      `insert into public.stripe_customers (user_id, customer_id) values ('${userId}', '${customer}')`,
      `insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created) values ('sub_${userId}', '${customer}', 'active', 1)`,
      `insert into public.payment_methods (payment_method_id, user_id, brand) values ('pm_${userId}', '${userId}', 'visa')`,
      `insert into public.billing_checkouts (user_id, price_id, session_id) values ('${userId}', 'p', 'cs_${userId}')`,
      `insert into public.billing_quotes (subscription_id, price_id, proration_date, amount_due, expires_at) values ('sub_${userId}', 'p', 1, 1, now())`,
      `insert into public.stripe_events (event_id, type, livemode, created, object_id) values ('evt_${userId}', 'x', false, 1, '${customer}')`,
      `insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at) values ('receipt', 'in_${userId}', '${userId}', true, now())`,
      `insert into private.audit_log (actor_id, action, subject) values ('${userId}', 'changelog.insert', 'a post')`,
      `insert into public.changelog_posts (id, content, author_id, published_at) values ('${userId}', 'A post', '${userId}', now())`,
      `insert into public.changelog_post_likes (post_id, user_id) values ('${userId}', '${userId}')`,
      `insert into public.user_changelog_state (user_id, last_seen_post_id, last_seen_published_at) values ('${userId}', '${userId}', now())`,
      `insert into public.api_keys (user_id, name, prefix, key_hash) values ('${userId}', 'laptop', 'kat_abc123', sha256('${userId}'))`,
      `insert into public.alert_rules (user_id, kind, by_mail, by_push) values ('${userId}', 'band-broken', true, false)`,
      `insert into public.alerts (user_id, kind, subject, facts, made_at) values ('${userId}', 'band-broken', 'x', '{}', now())`,
      `insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
       values ('${userId}', 'https://push.example/x', md5('${userId}') || md5('${userId}'), repeat('B', 87), repeat('A', 22), 'Firefox on Linux')`,
      `insert into private.votes (user_id, currency, direction, created_at) values ('${userId}', 'btc', 'up', now())`,
      `insert into public.error_logs (error_message, user_id) values ('of ${userId}', '${userId}')`,
      `insert into private.outgoing_mail (kind, to_address, subject, next_try_at, created_at, text_body) values ('receipt', '${email}', 'S', now(), now(), 'secret link')`,
      `insert into private.prediction_reservations (id, user_id, model, model_version, exc, sym, label, t0, state, created_at, expires_at)
       values (gen_random_uuid(), '${userId}', 'kat1', '1', 'X', 'BTC', 'BTC', 60, 'released', now(), now())`,
      `insert into public.user_predictions (user_id, cryptocurrency, model, data, created_at)
       select '${userId}', 'BTC', 'kat1', (select jsonb_agg(jsonb_build_object('time', c * 60, 'n', n)) from generate_series(1, 200) c),
              now() - make_interval(secs => n / 3) from generate_series(1, ${PREDICTIONS}) n`,
      `insert into public.prediction_shares (prediction_id, user_id, token)
       select p.id, p.user_id, md5(p.id::text) from public.user_predictions p where p.user_id = '${userId}' limit 1`,
      `insert into public.chat_channels (user_id, service, chat_id, title)
       values ('${userId}', 'telegram', abs(hashtext('${userId}'))::text, 'A chat')`,
      `insert into public.webhook_endpoints (user_id, url, events, secret)
       values ('${userId}', 'https://hooks.example/x', '{alert.created}', 'whsec_' || repeat('s', 43))`,
      `insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
       select e.id, e.user_id, gen_random_uuid(), 'alert.created', '{}', now() from public.webhook_endpoints e where e.user_id = '${userId}'`,
    ];
    await server().database.transaction(OWNER, async (tx) => {
      for (const statement of statements) await tx.query(statement);
      // The trigger replaces the user of a report with the token's, so it is set afterwards.
      await tx.query(`update public.error_logs set user_id = '${userId}' where error_message = 'of ${userId}'`);
    });
  }

  test('returns every section for this user, with no other user’s data and no secrets', async () => {
    const account = await verified();
    const stranger = await verified();
    await call(account.accessToken, 'recovery-codes', { action: 'create' });
    await fill(account.id, account.email);
    await fill(stranger.id, stranger.email);
    const picture = new Blob([await photograph('png', 8)], { type: 'image/png' });
    await account.client.storage.from('avatars').upload(`${account.id}/1.png`, picture);

    const { data, error } = await account.client.functions.invoke('export-account', { body: {} });

    expect(error).toBeNull();
    expect(Object.keys(data)).toEqual(['ok', 'exported_at', 'account', ...EXPORT_SECTIONS.map(({ name }) => name)]);
    expect(data).toMatchObject({
      ok: true,
      exported_at: expect.stringMatching(/^\d{4}-.*Z$/),
      account: { id: account.id, email: account.email },
      factors: [{ friendly_name: 'phone', status: 'verified' }],
      sessions: [{ aal: 'aal2', proofs: expect.arrayContaining([{ method: 'totp', at: expect.any(String) }]) }],
      profiles: [{ id: account.id, two_factor_enabled: true }],
      user_activity: expect.arrayContaining([expect.objectContaining({ activity_data: { mark: account.id } })]),
      files: [{ bucket: 'avatars', name: `${account.id}/1.png` }],
      error_logs: [{ error_message: `of ${account.id}` }],
      mails: expect.arrayContaining([expect.objectContaining({ kind: 'receipt', to: account.email })]),
    });
    for (const { name } of EXPORT_SECTIONS) expect([name, data[name].length > 0]).toEqual([name, true]);
    expect(data.recovery_codes).toHaveLength(10);
    const text = JSON.stringify(data);
    for (const foreign of [
      stranger.id,
      stranger.email,
      'secret link',
      '$2',
      'code_hash',
      'key_hash',
      'push.example',
      'whsec_',
      'p256dh',
      'encrypted',
      'sealed',
    ])
      expect([foreign, text.includes(foreign)]).toEqual([foreign, false]);
    const [{ secret, password } = {}] = await server().database.query(
      OWNER,
      `select f.secret, u.encrypted_password as password from auth.mfa_factors f join auth.users u on u.id = f.user_id where u.id = $1`,
      [account.id],
    );
    for (const hidden of [secret, password, createHash('sha256').update(account.refreshToken).digest('hex')])
      expect(text).not.toContain(String(hidden));
  });

  test('includes emails to previous addresses, but none that reveals whether a stranger has an account', async () => {
    const account = await server().confirmedUser();
    const stranger = await server().confirmedUser();
    const mail = (kind: string, to: string) =>
      server().database.query(
        OWNER,
        `insert into private.outgoing_mail (kind, to_address, subject, user_id, next_try_at, created_at)
         values ($1::text, $2::text, 'S', $3::text::uuid, now(), now())`,
        [kind, to, account.id],
      );
    await mail('receipt', `before-${account.email}`);
    await mail('email_change', stranger.email);

    const { mails } = await call(account.accessToken, 'export-account');

    const addresses = Array.isArray(mails) ? mails.map(({ to }) => to) : [];
    expect(addresses).toContain(`before-${account.email}`);
    expect(addresses).not.toContain(stranger.email);
    const queued = await server().database.query(
      OWNER,
      'select distinct user_id from private.outgoing_mail where to_address = $1::text',
      [account.email],
    );
    expect(queued).toEqual([{ user_id: account.id }]);
  });

  test('returns all 60 predictions once, oldest first, across several pages', async () => {
    const account = await server().confirmedUser();
    await fill(account.id, account.email);

    const { user_predictions: predictions } = await call(account.accessToken, 'export-account');

    const rows = Array.isArray(predictions) ? predictions : [];
    expect(rows).toHaveLength(PREDICTIONS);
    expect(new Set(rows.map((row) => row.id)).size).toBe(PREDICTIONS);
    expect(rows.map((row) => row.created_at)).toEqual(rows.map((row) => row.created_at).toSorted());
    expect(rows.every((row) => row.data.length === 200 && row.outcome === null)).toBe(true);
  });

  test('reads from the database only as fast as the client reads, and stops when it disconnects', async () => {
    const account = await server().confirmedUser();
    await fill(account.id, account.email);
    // More than the buffers between database and client can hold. It is inserted in parts because a statement may
    // take five seconds at most, on the slowest machine too.
    for (let part = 0; part < 10; part++)
      await server().database.query(
        OWNER,
        `with heavy as materialized (
           select jsonb_agg(jsonb_build_object('time', c, 'text', repeat(md5(c::text), 10))) as data from generate_series(1, 200) c)
         insert into public.user_predictions (user_id, cryptocurrency, model, data)
         select $1::text::uuid, 'ETH', 'kat1', heavy.data from heavy, generate_series(1, 30)`,
        [account.id],
      );
    let pages = 0;
    const query = server().database.query;
    server().database.query = (caller, text, params) => {
      if (text.includes('public.user_predictions t on')) pages += 1;
      return query(caller, text, params);
    };
    const leaving = new AbortController();
    const answer = await server().request('/functions/v1/export-account', {
      method: 'POST',
      headers: { authorization: `Bearer ${account.accessToken}` },
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    await new Promise((done) => setTimeout(done, 400));
    const taken = pages;
    leaving.abort();
    await new Promise((done) => setTimeout(done, 300));
    server().database.query = query;

    expect(taken).toBeLessThan(12);
    expect(pages - taken).toBeLessThanOrEqual(1);
  });

  test('sends truncated JSON when a query fails, and logs the failure without user data', async () => {
    const account = await server().confirmedUser();
    await fill(account.id, account.email);
    const query = server().database.query;
    server().database.query = (caller, text, params) =>
      text.includes('public.user_predictions t on')
        ? Promise.reject(new Error('the disk failed'))
        : query(caller, text, params);

    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const answer = await server().request('/functions/v1/export-account', {
      method: 'POST',
      headers: { authorization: `Bearer ${account.accessToken}` },
    });
    const read = await answer.text().then(
      (text) => text.endsWith('}'),
      () => false,
    );
    const shown = printed.mock.calls.flat().map(String).join();
    printed.mockRestore();
    server().database.query = query;

    expect([answer.status, read]).toEqual([200, false]);
    expect(shown).not.toContain('disk');
    expect(lines.join('')).toContain('was interrupted');
    for (const hidden of [account.accessToken, account.email, account.id]) expect(lines.join('')).not.toContain(hidden);
  });

  test('allows three exports an hour per account', async () => {
    const account = await server().confirmedUser();
    for (let n = 0; n < 3; n += 1)
      expect(await call(account.accessToken, 'export-account')).toMatchObject({ ok: true });

    const { data } = await account.client.functions.invoke('export-account', { body: {} });

    expect(data).toEqual({ ok: false, reason: 'request/too-many', message: 'Too many requests' });
  });
});
