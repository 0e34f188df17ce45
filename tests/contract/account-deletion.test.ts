/** An account is deleted by its owner alone, after a fresh proof, and nothing of it remains. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { everything, mentions } from '../support/database/account-traces.ts';
import { describeEachDatabase, describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { fillUser } from '../support/worlds/filled-user.ts';
import { accountTestServer, functionCalls } from './support/auth/account.ts';
import { authCalls } from './support/auth/auth.ts';
import { authenticatorApps } from './support/auth/factors.ts';

const MINUTE_MS = 60_000;
const refused = (reason: string) => ({ status: 200, ok: false, reason });

// On both kinds: the deletion of the last admin is checked again under a lock, where requests meet differently.
describeEachDatabase('delete-account', (kind) => {
  /** Ids at the payment provider whose plans were ended. */
  const ended: string[] = [];
  const removed: string[] = [];
  let owed: string | null = null;
  const provider = {
    mode: 'sandbox',
    endAll: async (customer: string) => {
      if (owed === null) ended.push(customer);
      return owed;
    },
  };
  const removeFile = async (version: string) => {
    removed.push(version);
    throw new Error('the disk is away');
  };
  const server = openedForTests(() =>
    accountTestServer(kind, {
      limits: { deletionsPerAccount: { points: 4, perS: 3600 } },
      deletion: { provider, removeFile },
    }),
  );
  const call = functionCalls(server);
  const { refresh, statusOfUser } = authCalls(server);
  const { verified, signInAgain, startNextStep } = authenticatorApps(server);
  const remove = (accessToken: string, password?: string) =>
    call(accessToken, 'delete-account', { action: 'delete', ...(password !== undefined && { password }) });
  const state = (accessToken: string) => call(accessToken, 'delete-account', { action: 'status' });
  const rows = (text: string, id: string) => server().database.query(OWNER, text, [id]);
  const exists = async (id: string) =>
    (await rows('select 1 from auth.users where id = $1::text::uuid', id)).length > 0;
  const withoutPassword = (id: string) =>
    rows('update auth.users set encrypted_password = null where id = $1::text::uuid', id);
  const makeAdmin = (id: string) => rows("update public.profiles set role = 'admin' where id = $1::text::uuid", id);

  test('erases everything about the caller, ends plan and sessions, and leaves others’ rows alone', async () => {
    const { password, id: model } = await server().user();
    const { database } = server();
    const ann = await fillUser(database, 'ann');
    const bob = await fillUser(database, 'bob');
    await database.query(
      OWNER,
      `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $1::text::uuid)
        where id = $2::text::uuid`,
      [model, ann.id],
    );
    const one = await signInAgain({ email: ann.email, password });
    const other = await signInAgain({ email: ann.email, password });
    expect(await state(one.accessToken)).toEqual({
      status: 200,
      ok: true,
      proof: 'password',
      is_proven: false,
      has_plan: false,
    });
    const before = await everything(database);
    const sessions = [one, other].map(({ accessToken }) => String(decodeJwt(accessToken).session_id));
    const whole = { traces: [...ann.traces, ...sessions] };
    const ofOthers = before.filter((row) => mentions([row], whole).length === 0).map(({ line }) => line);

    expect(await remove(one.accessToken, password)).toEqual({ status: 200, ok: true });

    const after = await everything(database);
    expect(mentions(after, whole)).toEqual([]);
    const left = new Set(after.map(({ line }) => line));
    expect(ofOthers.filter((line) => !left.has(line))).toEqual([]);
    expect(mentions(after, bob).length).toBe(mentions(before, bob).length);
    // Once before the erasure, once for a purchase during it.
    expect([ended, removed]).toEqual([[ann.customerId, ann.customerId], [ann.fileVersion]]);
    for (const { accessToken, refreshToken } of [one, other]) {
      expect(await call(accessToken, 'whoami')).toMatchObject({ status: 401, code: 'auth/session-ended' });
      expect(await remove(accessToken, password)).toMatchObject({ status: 401 });
      expect(await statusOfUser(accessToken)).toBe(403);
      expect(await refresh(refreshToken)).toMatchObject({ status: 400 });
    }
    const audit = await rows(
      "select details ->> 'by' as by, actor_id from private.audit_log where action = $1",
      'account.erase',
    );
    expect(audit).toEqual([{ by: 'owner', actor_id: null }]);
  });

  test('deletes no other account than the caller’s, whatever the body names', async () => {
    const ada = await server().user();
    const eve = await server().user();
    const names = { account: ada.id, user_id: ada.id, id: ada.id, email: ada.email };

    expect(
      await call(eve.accessToken, 'delete-account', { action: 'delete', password: ada.password, ...names }),
    ).toEqual({
      status: 200,
      ok: true,
    });
    expect([await exists(ada.id), await exists(eve.id)]).toEqual([true, false]);
    expect(await server().request('/functions/v1/delete-account', { method: 'POST' })).toMatchObject({ status: 401 });
  });

  test('deletes nothing without the password or with a wrong one, and limits the attempts', async () => {
    const { accessToken, id, password } = await server().user();

    expect(await remove(accessToken)).toMatchObject(refused('account/proof-needed'));
    for (const wrong of ['Password2', `${password} `, password.toLowerCase()])
      expect(await remove(accessToken, wrong)).toMatchObject(refused('account/wrong-password'));
    expect(await remove(accessToken, password)).toMatchObject(refused('request/too-many'));
    expect(await exists(id)).toBe(true);
    server().advance(60 * MINUTE_MS);
    const other = await server().user();
    expect(await remove(other.accessToken, other.password)).toMatchObject({ ok: true });
  });

  test('requires a sign-in of the last ten minutes from an account without a password', async () => {
    const { accessToken, id, password } = await server().user();
    await withoutPassword(id);
    expect(await state(accessToken)).toMatchObject({ proof: 'recent-sign-in', is_proven: true });
    server().advance(10 * MINUTE_MS + 1000);

    expect(await state(accessToken)).toMatchObject({ proof: 'recent-sign-in', is_proven: false });
    for (const guess of [undefined, '', password])
      expect(await remove(accessToken, guess)).toMatchObject(refused('account/proof-needed'));
    expect(await exists(id)).toBe(true);
  });

  test('accepts a code of the authenticator app as the fresh proof', async () => {
    const account = await verified();
    await withoutPassword(account.id);
    server().advance(11 * MINUTE_MS);
    startNextStep();
    expect(await remove(account.accessToken)).toMatchObject(refused('account/proof-needed'));

    const { data, error } = await account.client.auth.mfa.challengeAndVerify({
      factorId: account.app.factorId,
      code: account.app.code(),
    });
    expect(error).toBeNull();
    expect(await remove(data?.access_token ?? '')).toEqual({ status: 200, ok: true });
    expect(await exists(account.id)).toBe(false);
  });

  test('refuses a session that has not shown the second factor, even with the password', async () => {
    const account = await verified();
    const weak = await signInAgain(account);

    expect(await remove(weak.accessToken, account.password)).toMatchObject({
      status: 403,
      code: 'auth/second-factor-needed',
    });
    expect(await exists(account.id)).toBe(true);
  });

  test('deletes nothing while a payment is open', async () => {
    const { accessToken, id, password } = await server().user();
    await rows(
      "insert into public.stripe_customers (user_id, customer_id, mode) values ($1::text::uuid, 'cus_owes', 'sandbox')",
      id,
    );
    owed = 'cus_owes owes $29.99';
    try {
      expect(await remove(accessToken, password)).toMatchObject(refused('account/payment-owed'));
    } finally {
      owed = null;
    }
    expect([await exists(id), ended.includes('cus_owes')]).toEqual([true, false]);
    expect(await call(accessToken, 'whoami')).toMatchObject({ status: 200, id });
  });

  test('deletes nothing while a plan runs that the server can’t end', async () => {
    const { accessToken, id, password } = await server().user();
    await rows(
      "insert into public.stripe_customers (user_id, customer_id, mode) values ($1::text::uuid, 'cus_live', 'live')",
      id,
    );
    await rows(
      "insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created) values ($1, 'cus_live', 'active', 1)",
      `sub_${id}`,
    );

    expect(await state(accessToken)).toMatchObject({ has_plan: true });
    expect(await remove(accessToken, password)).toMatchObject(refused('account/plan-runs'));
    expect([await exists(id), ended.includes('cus_live')]).toEqual([true, false]);
  });

  test('keeps the last admin, also when two delete their accounts at the same moment', async () => {
    const [ada, eve] = [await server().user(), await server().user()];
    await makeAdmin(ada.id);
    expect(await remove(ada.accessToken, ada.password)).toMatchObject(refused('account/last-admin'));
    await makeAdmin(eve.id);

    const answers = await Promise.all([ada, eve].map(({ accessToken, password }) => remove(accessToken, password)));

    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(answers).toContainEqual(expect.objectContaining(refused('account/last-admin')));
    expect([await exists(ada.id), await exists(eve.id)].toSorted()).toEqual([false, true]);
  });
});

describeOneDatabase('delete-account from one address', (kind) => {
  const limits = { deletionsPerAddress: { points: 1, perS: 3600 } };
  const server = openedForTests(() => accountTestServer(kind, { limits }));
  const call = functionCalls(server);

  test('erases only so many accounts an hour, and a wrong password doesn’t count', async () => {
    const [ada, eve] = [await server().user(), await server().user()];
    const remove = (user: typeof ada, password = user.password) =>
      call(user.accessToken, 'delete-account', { action: 'delete', password });

    expect(await remove(ada, 'Password2')).toMatchObject(refused('account/wrong-password'));
    expect(await remove(ada)).toEqual({ status: 200, ok: true });
    expect(await remove(eve)).toMatchObject(refused('request/too-many'));
    expect(await call(eve.accessToken, 'whoami')).toMatchObject({ status: 200, id: eve.id });
  });
});

describeOneDatabase('delete-account where only the operator deletes', (kind) => {
  const server = openedForTests(() => accountTestServer(kind, { deletion: null }));
  const call = functionCalls(server);

  test.each(['status', 'delete'])('refuses %s, and deletes nothing', async (action) => {
    const { accessToken, password, id } = await server().user();

    expect(await call(accessToken, 'delete-account', { action, password })).toMatchObject(
      refused('account/deletion-by-operator'),
    );
    expect(await call(accessToken, 'whoami')).toMatchObject({ status: 200, id });
  });
});
