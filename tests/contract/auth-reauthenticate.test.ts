/** A new password from a session that was proven long ago takes a code by mail. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEmbeddedDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls, otherCode } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeEmbeddedDatabase('reauthentication', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { mailTo, mailsTo } = mailCalls(server);

  /** A session whose sign-in is more than a day old. */
  async function longSignedIn() {
    const user = await server().user();
    server().advance(DAY_MS + 60_000);
    await user.client.auth.refreshSession();
    return user;
  }

  test('a session of the last day changes its password without a code', async () => {
    const { client } = await server().user();
    server().advance(DAY_MS - 60_000);
    await client.auth.refreshSession();

    const { error } = await client.auth.updateUser({ password: 'Password2' });

    expect(error).toBeNull();
  });

  test('an older one needs the code of the mail, once', async () => {
    const { client, email } = await longSignedIn();
    const without = await client.auth.updateUser({ password: 'Password2' });
    const asked = await client.auth.reauthenticate();
    const { code, link } = await mailTo(email, 'reauthentication');

    const wrong = await client.auth.updateUser({ password: 'Password2', nonce: otherCode(code) });
    const right = await client.auth.updateUser({ password: 'Password2', nonce: code });
    const again = await client.auth.updateUser({ password: 'Password3', nonce: code });

    expect([asked.error, link]).toEqual([null, '']);
    expect(without.error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect(right.error).toBeNull();
    expect(again.error?.code).toBe('reauthentication_not_valid');
  });

  test('a code that is sent is checked, however fresh the session', async () => {
    const { client } = await server().user();

    const password = await client.auth.updateUser({ password: 'Password2', nonce: '123456' });
    const data = await client.auth.updateUser({ data: { city: 'London' }, nonce: '123456' });

    expect([password.error?.code, data.error?.code]).toEqual(Array(2).fill('reauthentication_not_valid'));
  });

  test('five wrong codes end the code', async () => {
    const { client, email } = await server().user();
    await client.auth.reauthenticate();
    const { code } = await mailTo(email, 'reauthentication');
    for (let guess = 0; guess < 5; guess += 1) await client.auth.updateUser({ data: {}, nonce: otherCode(code) });

    const { error } = await client.auth.updateUser({ password: 'Password2', nonce: code });

    expect(error?.code).toBe('reauthentication_not_valid');
  });

  test('one code makes one change, however many are sent at the same moment', async () => {
    const { client, email } = await longSignedIn();
    await client.auth.reauthenticate();
    const { code } = await mailTo(email, 'reauthentication');
    const { data } = await client.auth.getSession();
    const change = (password: string) =>
      server().request('/auth/v1/user', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${data.session?.access_token}` },
        body: JSON.stringify({ password, nonce: code }),
      });

    const statuses = await Promise.all(
      ['Password4', 'Password5', 'Password6'].map(async (one) => (await change(one)).status),
    );

    expect(statuses.sort()).toEqual([200, 422, 422]);
  });

  test('the code of somebody else is worth nothing', async () => {
    const other = await server().user();
    await other.client.auth.reauthenticate();
    const { code } = await mailTo(other.email, 'reauthentication');
    const { client } = await longSignedIn();

    const { error } = await client.auth.updateUser({ password: 'Password2', nonce: code });

    expect(error?.code).toBe('reauthentication_not_valid');
  });

  test('no code opens a session', async () => {
    const { client, email } = await server().user();
    await client.auth.reauthenticate();
    const { code } = await mailTo(email, 'reauthentication');

    const answers = await Promise.all(
      (['email', 'signup', 'recovery', 'magiclink', 'email_change'] as const).map((type) =>
        server().visitor().auth.verifyOtp({ email, token: code, type }),
      ),
    );

    expect(answers.map(({ error }) => error?.code)).toEqual(Array(5).fill('otp_expired'));
  });

  test('asks who is asking', async () => {
    const answer = await server().request('/auth/v1/reauthenticate');

    expect([answer.status, (await answer.json()).error_code]).toEqual([401, 'no_authorization']);
  });

  test('an account of an organisation changes neither password nor address here', async () => {
    const { client, id, email } = await server().user();
    await server().database.query(OWNER, 'update auth.users set is_sso_user = true where id = $1', [id]);

    const password = await client.auth.updateUser({ password: 'Password2' });
    const address = await client.auth.updateUser({ email: `new-${email}` });
    const data = await client.auth.updateUser({ data: { city: 'London' } });
    await server().visitor().auth.resetPasswordForEmail(email);

    const refusal = { status: 422, code: 'user_sso_managed' };
    expect(password.error).toMatchObject(refusal);
    expect(address.error).toMatchObject(refusal);
    expect(data.error).toBeNull();
    expect((await mailsTo(email))[0]).toMatchObject({ kind: 'recovery', state: 'suppressed' });
  });

  test('who has a second factor shows it before changing password or address', async () => {
    const { client, id, email } = await server().user();
    await server().database.query(
      OWNER,
      `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, secret) values ($1, 'app', 'totp', 'verified', 'x')`,
      [id],
    );

    const password = await client.auth.updateUser({ password: 'Password2' });
    const address = await client.auth.updateUser({ email: `new-${email}` });
    const data = await client.auth.updateUser({ data: { city: 'London' } });

    const refusal = { status: 401, code: 'insufficient_aal' };
    expect(password.error).toMatchObject(refusal);
    expect(address.error).toMatchObject(refusal);
    expect(data.error).toBeNull();
    expect(await mailsTo(`new-${email}`)).toEqual([]);
  });
});
