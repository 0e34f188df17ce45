/** Changing the password in a session that was proven long ago requires a code by email. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls, otherCode } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeBothAtNight('reauthentication', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { mailTo, mailsTo } = mailCalls(server);

  /** Returns a session whose sign-in is more than a day old. */
  async function longSignedIn() {
    const user = await server().user();
    server().advance(DAY_MS + 60_000);
    await user.client.auth.refreshSession();
    return user;
  }

  test('changes the password without a code in a session of the last day', async () => {
    const { client } = await server().user();
    server().advance(DAY_MS - 60_000);
    await client.auth.refreshSession();

    const { error } = await client.auth.updateUser({ password: 'Password2' });

    expect(error).toBeNull();
  });

  test('requires the emailed code in an older session, and accepts it once', async () => {
    const { client, email } = await longSignedIn();
    const without = await client.auth.updateUser({ password: 'Password2' });
    const requested = await client.auth.reauthenticate();
    const { code, link } = await mailTo(email, 'reauthentication');

    const wrong = await client.auth.updateUser({ password: 'Password2', nonce: otherCode(code) });
    const right = await client.auth.updateUser({ password: 'Password2', nonce: code });
    const again = await client.auth.updateUser({ password: 'Password3', nonce: code });

    expect([requested.error, link]).toEqual([null, '']);
    expect(without.error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect(right.error).toBeNull();
    expect(again.error?.code).toBe('reauthentication_not_valid');
  });

  test('checks a code that is sent, even in a fresh session', async () => {
    const { client } = await server().user();

    const password = await client.auth.updateUser({ password: 'Password2', nonce: '123456' });
    const data = await client.auth.updateUser({ data: { city: 'London' }, nonce: '123456' });

    expect([password.error?.code, data.error?.code]).toEqual(Array(2).fill('reauthentication_not_valid'));
  });

  test('voids the code after five wrong ones', async () => {
    const { client, email } = await server().user();
    await client.auth.reauthenticate();
    const { code } = await mailTo(email, 'reauthentication');
    for (let guess = 0; guess < 5; guess += 1) await client.auth.updateUser({ data: {}, nonce: otherCode(code) });

    const { error } = await client.auth.updateUser({ password: 'Password2', nonce: code });

    expect(error?.code).toBe('reauthentication_not_valid');
  });

  test('accepts the code for one of three simultaneous changes', async () => {
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

  test('rejects the code of another account', async () => {
    const other = await server().user();
    await other.client.auth.reauthenticate();
    const { code } = await mailTo(other.email, 'reauthentication');
    const { client } = await longSignedIn();

    const { error } = await client.auth.updateUser({ password: 'Password2', nonce: code });

    expect(error?.code).toBe('reauthentication_not_valid');
  });

  test('does not open a session with the code', async () => {
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

  test('refuses callers who are not signed in', async () => {
    const answer = await server().request('/auth/v1/reauthenticate');

    expect([answer.status, (await answer.json()).error_code]).toEqual([401, 'no_authorization']);
  });

  test('refuses password and address changes for an organisation account', async () => {
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

  test('requires the second factor before a password or address change', async () => {
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
