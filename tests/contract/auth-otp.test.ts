/** Signing in by email with a code or a link, for an account that exists or is created. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('sign-in by email', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const { mailTo, mailsTo } = mailCalls(server);
  const accounts = (email: string) =>
    server().database.query(OWNER, 'select email_confirmed_at from auth.users where lower(email) = $1', [email]);

  test('creates an unconfirmed account, which the code confirms and opens', async () => {
    const email = 'new@example.com';
    const client = server().visitor();

    const requested = await client.auth.signInWithOtp({
      email: ' New@Example.com',
      options: { data: { full_name: 'Ada' } },
    });
    const before = await accounts(email);
    const { code } = await mailTo(email, 'magic_link');
    const { data, error } = await client.auth.verifyOtp({ email, token: code, type: 'email' });

    expect(requested).toMatchObject({ data: { user: null, session: null }, error: null });
    expect(before).toEqual([{ email_confirmed_at: null }]);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      user_metadata: { full_name: 'Ada' },
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email', identity_data: { email, email_verified: true } }],
    });
    expect(decodeJwt(data.session?.access_token ?? '').amr).toMatchObject([{ method: 'otp' }]);
    expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id);
  });

  test('signs in to a known account without changing its data', async () => {
    const { email, id } = await server().user();

    await server()
      .visitor()
      .auth.signInWithOtp({ email, options: { data: { full_name: 'Eve' } } });
    const { code } = await mailTo(email, 'magic_link');
    const { data, error } = await server().visitor().auth.verifyOtp({ email, token: code, type: 'magiclink' });

    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, user_metadata: {} });
  });

  test('answers the same and creates nothing for an unknown address without create_user', async () => {
    const email = 'nobody@example.com';

    const { error } = await server()
      .visitor()
      .auth.signInWithOtp({ email, options: { shouldCreateUser: false } });

    expect(error).toBeNull();
    expect(await accounts(email)).toEqual([]);
    expect(await mailsTo(email)).toMatchObject([{ state: 'suppressed', code: '', link: '' }]);
  });

  test('replaces an older code with a newer one', async () => {
    const { email } = await server().user();
    await server().visitor().auth.signInWithOtp({ email });
    const first = await mailTo(email, 'magic_link');
    await server().visitor().auth.signInWithOtp({ email });
    const second = await mailTo(email, 'magic_link');

    const old = await server().visitor().auth.verifyOtp({ email, token: first.code, type: 'email' });
    const fresh = await server().visitor().auth.verifyOtp({ email, token: second.code, type: 'email' });

    expect([first.code === second.code, old.error?.code, fresh.error]).toEqual([false, 'otp_expired', null]);
  });

  test('refuses phones, invalid addresses and wrong types', async () => {
    const phone = await server().visitor().auth.signInWithOtp({ phone: '+10000000000' });
    const answers = await Promise.all(
      [
        { email: 'nobody' },
        {},
        { email: 5 },
        { email: 'a@example.com', create_user: 'yes' },
        { email: 'a@example.com', data: [] },
        { email: 'a@example.com', code_challenge: 'short', code_challenge_method: 's256' },
        { email: 'a@example.com', code_challenge: 'x'.repeat(43) },
      ].map(async (body) => (await post('/auth/v1/otp', body)).json()),
    );

    expect(phone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
    expect(answers.map((answer) => answer.error_code)).toEqual(answers.map(() => 'validation_failed'));
  });

  test('stores no readable code or link in the database', async () => {
    const { email } = await server().user();
    await server().visitor().auth.signInWithOtp({ email });
    const { code, link } = await mailTo(email, 'magic_link');

    const rows = JSON.stringify(await server().database.query(OWNER, 'select * from auth.one_time_tokens'));

    expect(rows).not.toContain(`"${code}"`);
    expect(rows).not.toContain(new URL(link).searchParams.get('token'));
  });
});
