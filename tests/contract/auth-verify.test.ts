/** Codes and links work once, guesses are counted, and a prefetch does not use a link up. */
import { expect, test } from 'vitest';
import { nowIso } from '../../server/backend/auth/auth-deps.ts';
import { newCode, newLinkToken, putToken } from '../../server/backend/auth/mail/one-time-token-store.ts';
import { asOwner, OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls, otherCode } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

const HOUR_MS = 60 * 60 * 1000;

describeBothAtNight('codes and links', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const { mailTo, follow } = mailCalls(server);

  /** Returns a confirmed account with a fresh sign-in email. */
  async function withLink(options: { emailRedirectTo?: string } = {}) {
    const user = await server().user();
    await server().database.query(OWNER, 'update auth.users set email_confirmed_at = now() where id = $1', [user.id]);
    await server().visitor().auth.signInWithOtp({ email: user.email, options });
    return { ...user, ...(await mailTo(user.email, 'magic_link')) };
  }
  const verify = (email: string, token: string, type: 'email' | 'recovery' | 'signup' = 'email') =>
    server().visitor().auth.verifyOtp({ email, token, type });
  const sessionsOf = async (id: string) =>
    (await server().database.query(OWNER, 'select 1 from auth.sessions where user_id = $1', [id])).length;

  test('open one session for a code sent six times at the same time', async () => {
    const { email, id, code } = await withLink();
    const before = await sessionsOf(id);

    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => verify(email, code)));

    const codes = answers.map(({ error }) => error?.code ?? 'in').sort();
    expect(codes).toEqual(['in', ...Array(5).fill('otp_expired')]);
    expect([before, await sessionsOf(id)]).toEqual([1, 2]);
  });

  test('accept either the code or the link of one email when both are used at the same time', async () => {
    const mails = await Promise.all([1, 2, 3].map(() => withLink()));

    const outcomes = await Promise.all(
      mails.map(async ({ email, code, link }) => {
        const [byCode, byLink] = await Promise.all([verify(email, code), follow(link)]);
        return [byCode.error === null, byLink.target.hash.includes('access_token=')];
      }),
    );

    expect(outcomes.map((pair) => pair.filter(Boolean).length)).toEqual([1, 1, 1]);
  });

  test('void a code after five wrong tries, but not its link', async () => {
    const { email, code, link } = await withLink();

    for (let guess = 0; guess < 5; guess += 1) await verify(email, otherCode(code));
    const right = await verify(email, code);
    const byLink = await follow(link);

    expect(right.error).toMatchObject({ status: 403, code: 'otp_expired' });
    expect(byLink.target.hash).toContain('access_token=');
  });

  test('accept the right code at the fifth try', async () => {
    const { email, code } = await withLink();

    for (let guess = 0; guess < 4; guess += 1) await verify(email, otherCode(code));

    expect((await verify(email, code)).error).toBeNull();
  });

  test('count simultaneous guesses one by one', async () => {
    const { email, id, code } = await withLink();

    await Promise.all(Array.from({ length: 20 }, () => verify(email, otherCode(code))));

    const rows = await server().database.query(
      OWNER,
      'select wrong_tries from auth.one_time_tokens where user_id = $1 and purpose = $2',
      [id, 'magiclink'],
    );
    expect(rows).toEqual([{ wrong_tries: 5 }]);
    expect((await verify(email, code)).error?.code).toBe('otp_expired');
  });

  test('expire after an hour', async () => {
    const early = await withLink();
    const late = await withLink();
    server().advance(HOUR_MS - 30_000);
    const inTime = await verify(early.email, early.code);
    server().advance(60_000);
    const tooLate = await verify(late.email, late.code);
    const link = await follow(late.link);

    expect(inTime.error).toBeNull();
    expect(tooLate.error?.code).toBe('otp_expired');
    expect(Object.fromEntries(new URLSearchParams(link.target.hash.slice(1)))).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
    });
  });

  test('prove only the purpose of their email', async () => {
    const { email, code, link } = await withLink();
    const wrongType = new URL(link);
    wrongType.searchParams.set('type', 'recovery');

    const asRecovery = await verify(email, code, 'recovery');
    const asSignUp = await verify(email, code, 'signup');
    const linkAsRecovery = await follow(wrongType.href);

    expect([asRecovery.error?.code, asSignUp.error?.code]).toEqual(['otp_expired', 'otp_expired']);
    expect(linkAsRecovery.target.hash).toContain('error_code=otp_expired');
    expect((await verify(email, code)).error).toBeNull();
  });

  test('redirect to the allowed page with a session in the fragment', async () => {
    const { id, link } = await withLink({ emailRedirectTo: `${server().url}/account?tab=1` });

    const { status, target } = await follow(link);

    const fragment = new URLSearchParams(target.hash.slice(1));
    expect(status).toBe(303);
    expect(`${target.origin}${target.pathname}${target.search}`).toBe(`${server().url}/account?tab=1`);
    expect(Object.fromEntries(fragment)).toMatchObject({ token_type: 'bearer', type: 'magiclink', expires_in: '3600' });
    const client = server().visitor();
    const { data } = await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    expect(data.user?.id).toBe(id);
    expect((await follow(link)).target.hash).toContain('error_code=otp_expired');
  });

  test('never redirect to a page that is not allowed', async () => {
    const { link } = await withLink({ emailRedirectTo: 'https://evil.example/steal' });
    const forged = new URL(link);
    forged.searchParams.set('redirect_to', 'https://evil.example/steal');

    const { target } = await follow(forged.href);

    expect(new URL(link).searchParams.get('redirect_to')).toBe(`${server().url}/`);
    expect(target.origin).toBe(server().url);
  });

  test('remain valid after HEAD and prefetch requests', async () => {
    const { link } = await withLink();

    const head = await follow(link, { method: 'HEAD' });
    const prefetch = await follow(link, { headers: { 'sec-purpose': 'prefetch' } });
    const click = await follow(link);

    expect([head.status, prefetch.status]).toEqual([204, 503]);
    expect(click.target.hash).toContain('access_token=');
  });

  test('accept the token of a link as token_hash', async () => {
    const { id, link } = await withLink();
    const tokenHash = new URL(link).searchParams.get('token') ?? '';

    const { data, error } = await server().visitor().auth.verifyOtp({ token_hash: tokenHash, type: 'email' });

    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
  });

  test.each([
    [{ type: 'email', email: 'a@example.com' }],
    [{ token: '123456', email: 'a@example.com' }],
    [{ type: 'email', token: '123456' }],
    [{ type: 'nonsense', token: '123456', email: 'a@example.com' }],
    [{ type: 'email', token: '123456', token_hash: 'x', email: 'a@example.com' }],
    [{ type: 'email', token_hash: 'x', email: 'a@example.com' }],
    [{ type: 'email', token: 123456, email: 'a@example.com' }],
    [{ type: 'email', token: '123456', email: 'nobody' }],
    [{ type: 'constructor', token: '123456', email: 'a@example.com' }],
  ])('refuse %j as incomplete or wrong', async (body) => {
    const answer = await post('/auth/v1/verify', body);

    expect([answer.status, (await answer.json()).error_code]).toEqual([400, 'validation_failed']);
  });

  test('refuse phones', async () => {
    const { error } = await server().visitor().auth.verifyOtp({ phone: '+10000000000', token: '123456', type: 'sms' });

    expect(error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
  });

  test('report to the page what is wrong with a broken link', async () => {
    const answers = await Promise.all(
      ['', '?type=email', '?token=x', '?token=x&type=nonsense', '?token=x&type=email'].map((query) =>
        follow(`${server().url}/auth/v1/verify${query}`),
      ),
    );

    const codes = answers.map(({ target }) => new URLSearchParams(target.hash.slice(1)).get('error_code'));
    expect(codes).toEqual([...Array(4).fill('validation_failed'), 'otp_expired']);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303));
  });

  test.each(['magic_link', 'email_change'])(
    'void a %s email once the account has another address',
    async (mailKind) => {
      const { client, email, id, code } = await withLink();
      await client.auth.updateUser({ email: `new-${email}` });
      const change = await mailTo(email, 'email_change');
      await server().database.query(OWNER, 'update auth.users set email = $2 where id = $1', [id, `moved-${email}`]);

      const { error } =
        mailKind === 'magic_link'
          ? await verify(email, code)
          : await server().visitor().auth.verifyOtp({ email, token: change.code, type: 'email_change' });

      expect(error?.code).toBe('otp_expired');
    },
  );

  test('do not open a banned account, and are not used up', async () => {
    const { email, id, code, link } = await withLink();
    await server().database.query(
      OWNER,
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      [id],
    );

    const byCode = await verify(email, code);
    const byLink = await follow(link);

    expect(byCode.error).toMatchObject({ status: 403, code: 'user_banned' });
    expect(byLink.target.hash).toContain('error_code=user_banned');
  });

  test('open an invited account, by its code and by its link', async () => {
    const invite = async (email: string) => {
      const [account] = await server().database.query<{ id: string }>(
        OWNER,
        'insert into auth.users (email) values ($1) returning id::text as id',
        [email],
      );
      const token = { purpose: 'invite' as const, email, code: newCode(), linkToken: newLinkToken({ isPkce: false }) };
      const queries = asOwner(server().database);
      await putToken(queries, server().keys, { ...token, userId: account?.id ?? '', flowId: null }, nowIso(server()));
      return token;
    };
    const [one, two] = [await invite('invited1@example.com'), await invite('invited2@example.com')];

    const byCode = await server().visitor().auth.verifyOtp({ email: one.email, token: one.code, type: 'invite' });
    const byHash = await server().visitor().auth.verifyOtp({ token_hash: two.linkToken, type: 'invite' });
    const again = await server().visitor().auth.verifyOtp({ token_hash: two.linkToken, type: 'invite' });

    expect([byCode.error, byHash.error]).toEqual([null, null]);
    for (const { data } of [byCode, byHash])
      expect(data.user).toMatchObject({ invited_at: expect.any(String), email_confirmed_at: expect.any(String) });
    expect(again.error?.code).toBe('otp_expired');
  });
});
