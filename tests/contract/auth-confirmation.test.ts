/** Sign-up where the address must be confirmed first: no session before, and no one learns who has an account. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('sign-up with confirmation', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, { accounts: { settings: { isConfirmationRequired: true } } }),
  );
  const { mailTo, mailsTo, follow } = mailCalls(server);

  let people = 0;
  function person() {
    people += 1;
    return { email: `person${people}@example.com`, password: 'Password1' };
  }
  const signUp = (credentials: { email: string; password: string }) => server().visitor().auth.signUp(credentials);
  const signIn = (credentials: { email: string; password: string }) =>
    server().visitor().auth.signInWithPassword(credentials);
  const confirm = async (email: string) =>
    server()
      .visitor()
      .auth.verifyOtp({ email, token: (await mailTo(email, 'confirmation')).code, type: 'signup' });
  const accounts = async (email: string) =>
    server().database.query(OWNER, 'select id::text, encrypted_password as hash from auth.users where email = $1', [
      email,
    ]);

  test('creates the user without a session, and opens one with the emailed code', async () => {
    const ada = person();

    const { data, error } = await server()
      .visitor()
      .auth.signUp({ ...ada, options: { data: { full_name: 'Ada' } } });
    const early = await signIn(ada);
    const confirmed = await confirm(ada.email);

    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      email: ada.email,
      confirmation_sent_at: expect.any(String),
      user_metadata: { full_name: 'Ada' },
    });
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });
    expect(confirmed.data.user).toMatchObject({ id: data.user?.id, email_confirmed_at: expect.any(String) });
    expect(confirmed.data.session).not.toBeNull();
    expect((await signIn(ada)).error).toBeNull();
  });

  test('reports an unconfirmed address only after the right password', async () => {
    const ada = person();
    await signUp(ada);

    const { error } = await signIn({ ...ada, password: 'Password2' });

    expect(error?.code).toBe('invalid_credentials');
  });

  test('confirms through the link too, and redirects with a session', async () => {
    const ada = person();
    await signUp(ada);

    const { status, target } = await follow((await mailTo(ada.email, 'confirmation')).link);

    const fragment = new URLSearchParams(target.hash.slice(1));
    expect([status, fragment.get('type')]).toEqual([303, 'signup']);
    expect((await signIn(ada)).error).toBeNull();
  });

  test('sends no email and creates no second account for a confirmed address', async () => {
    const ada = person();
    await signUp(ada);
    await confirm(ada.email);

    const { data } = await signUp({ ...ada, password: 'Password2' });

    const [account, ...more] = await accounts(ada.email);
    expect(more).toEqual([]);
    expect(data.user?.id).not.toBe(account?.id);
    expect((await mailsTo(ada.email)).map(({ state }) => state)).toEqual(['suppressed', 'waiting']);
    expect((await signIn(ada)).error).toBeNull();
  });

  test('emails an unconfirmed address again, and keeps its unchanged password', async () => {
    const ada = person();
    await signUp(ada);
    const first = await mailTo(ada.email);

    await signUp(ada);
    const old = await follow(first.link);
    const confirmed = await confirm(ada.email);

    expect(await accounts(ada.email)).toHaveLength(1);
    expect(old.target.hash).toContain('otp_expired');
    expect(confirmed.error).toBeNull();
    expect((await signIn(ada)).error).toBeNull();
  });

  test('drops both passwords when two sign-ups for one unproven address differ', async () => {
    const ada = person();
    await signUp({ ...ada, password: 'of-somebody-else' });
    await signUp(ada);

    const confirmed = await confirm(ada.email);

    expect(confirmed.data.session).not.toBeNull();
    expect((await signIn({ ...ada, password: 'of-somebody-else' })).error?.code).toBe('invalid_credentials');
    expect((await signIn(ada)).error?.code).toBe('invalid_credentials');
  });

  test('drops a stranger’s sign-up password when the owner had requested a sign-in code', async () => {
    const ada = person();
    await server().visitor().auth.signInWithOtp({ email: ada.email });
    await signUp({ ...ada, password: 'of-somebody-else' });

    const { code } = await mailTo(ada.email, 'confirmation');
    const { data } = await server().visitor().auth.verifyOtp({ email: ada.email, token: code, type: 'email' });

    expect(data.session).not.toBeNull();
    expect((await signIn({ ...ada, password: 'of-somebody-else' })).error?.code).toBe('invalid_credentials');
  });

  test.each(['magic_link', 'recovery'] as const)(
    'drops the sign-up password at confirmation after a %s request in between',
    async (kindOfMail) => {
      const ada = person();
      await signUp({ ...ada, password: 'of-somebody-else' });
      if (kindOfMail === 'recovery') await server().visitor().auth.resetPasswordForEmail(ada.email);
      else await server().visitor().auth.signInWithOtp({ email: ada.email });
      await server().visitor().auth.resend({ type: 'signup', email: ada.email });

      const { data } = await confirm(ada.email);

      expect(data.session).not.toBeNull();
      expect((await signIn({ ...ada, password: 'of-somebody-else' })).error?.code).toBe('invalid_credentials');
    },
  );

  test('creates one account with its password from four simultaneous sign-ups', async () => {
    const ada = person();

    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp(ada)));
    const mails = await mailsTo(ada.email);
    const confirmations = [];
    for (const { code } of mails)
      confirmations.push(await server().visitor().auth.verifyOtp({ email: ada.email, token: code, type: 'signup' }));

    expect(answers.map(({ error }) => error)).toEqual(Array(4).fill(null));
    expect(await accounts(ada.email)).toHaveLength(1);
    // Only the code that was written last is valid.
    expect(confirmations.filter(({ error }) => error === null)).toHaveLength(1);
    expect((await signIn(ada)).error).toBeNull();
  });

  test('is reported in the settings', async () => {
    const settings = await (await server().request('/auth/v1/settings')).json();

    expect(settings.mailer_autoconfirm).toBe(false);
  });

  test('does not reveal on an address change whether the new address has an account', async () => {
    const [ada, taken] = [person(), person()];
    for (const one of [ada, taken]) {
      await signUp(one);
      await confirm(one.email);
    }
    const client = server().visitor();
    await client.auth.signInWithPassword(ada);

    const { data, error } = await client.auth.updateUser({ email: taken.email });

    expect(error).toBeNull();
    expect(data.user?.new_email).toBe(taken.email);
    expect((await mailsTo(taken.email))[0]).toMatchObject({ kind: 'email_change', state: 'suppressed', code: '' });
  });
});
