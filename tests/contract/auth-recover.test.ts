/** A forgotten password, and what the first proof of an address takes away from the creator of the account. */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('recovery', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post, refresh, statusOfUser } = authCalls(server);
  const { mailTo, mailsTo, follow } = mailCalls(server);

  const signIn = (email: string, password: string) => server().visitor().auth.signInWithPassword({ email, password });
  /** Confirms with the email that the sign-up itself sent. */
  async function confirm(email: string) {
    const { code } = await mailTo(email, 'confirmation');
    const { error } = await server().visitor().auth.verifyOtp({ email, token: code, type: 'signup' });
    if (error) throw error;
  }

  test('opens a session with a code, sets a new password and ends other sessions', async () => {
    const { email, password, accessToken } = await server().user();
    await confirm(email);
    const client = server().visitor();

    const requested = await client.auth.resetPasswordForEmail(email.toUpperCase());
    const { code } = await mailTo(email, 'recovery');
    const { error } = await client.auth.verifyOtp({ email, token: code, type: 'recovery' });
    const change = await client.auth.updateUser({ password: 'Password2' });

    expect([requested.error, error, change.error]).toEqual([null, null, null]);
    expect(await statusOfUser(accessToken)).toBe(403);
    expect((await signIn(email, password)).error?.code).toBe('invalid_credentials');
    expect((await signIn(email, 'Password2')).error).toBeNull();
  });

  test('answers the same for an unknown address and sends nothing', async () => {
    const { data, error } = await server().visitor().auth.resetPasswordForEmail('nobody@example.com');

    expect([data, error]).toEqual([{}, null]);
    expect(await mailsTo('nobody@example.com')).toMatchObject([{ kind: 'recovery', state: 'suppressed', link: '' }]);
  });

  test('rejects invalid addresses with 400', async () => {
    const answers = await Promise.all(
      [{}, { email: '' }, { email: 'nobody' }, { email: [] }].map((body) => post('/auth/v1/recover', body)),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  describe('account created by another person with this address', () => {
    /** Signs up with another person's address, links an identity and a factor, and waits. */
    async function squatted() {
      const squatter = await server().user();
      const { data } = await squatter.client.auth.getSession();
      const owner = (sql: string) => server().database.query(OWNER, sql, [squatter.id]);
      await owner(`insert into auth.identities (provider_id, user_id, identity_data, provider)
        values ($1::text, $1::text::uuid, '{"email":"squatter@example.com","email_verified":true}', 'github')`);
      await owner(`insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, secret)
        values ($1, 'mine', 'totp', 'verified', 'x')`);
      return { ...squatter, refreshToken: data.session?.refresh_token ?? '' };
    }
    const left = async (id: string) =>
      (
        await server().database.query(
          OWNER,
          `select u.encrypted_password as password, u.email_change as change, u.raw_app_meta_data -> 'providers' as providers,
             (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors,
             (select count(*)::int from auth.one_time_tokens where user_id = u.id) as tokens
           from auth.users u where id = $1`,
          [id],
        )
      )[0];

    test.each(['recovery', 'magic_link'] as const)(
      'belongs to the owner alone after the first %s',
      async (mailKind) => {
        const { email, password, id, accessToken, refreshToken } = await squatted();
        const owner = server().visitor();
        await (mailKind === 'recovery' ? owner.auth.resetPasswordForEmail(email) : owner.auth.signInWithOtp({ email }));
        const { code } = await mailTo(email, mailKind);

        const { data, error } = await owner.auth.verifyOtp({
          email,
          token: code,
          type: mailKind === 'recovery' ? 'recovery' : 'email',
        });

        expect(error).toBeNull();
        expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email']);
        expect((await signIn(email, password)).error?.code).toBe('invalid_credentials');
        expect(await statusOfUser(accessToken)).toBe(403);
        expect((await refresh(refreshToken)).status).toBe(400);
        expect(await left(id)).toEqual({ password: null, change: null, providers: ['email'], factors: 0, tokens: 0 });
        expect((await owner.auth.updateUser({ password: 'Password2' })).error).toBeNull();
      },
    );

    test('belongs to the owner alone after following the link', async () => {
      const { email, password, accessToken } = await squatted();
      await server().visitor().auth.signInWithOtp({ email });

      const { target } = await follow((await mailTo(email, 'magic_link')).link);

      const token = new URLSearchParams(target.hash.slice(1)).get('access_token') ?? '';
      expect([await statusOfUser(token), await statusOfUser(accessToken)]).toEqual([200, 403]);
      expect((await signIn(email, password)).error?.code).toBe('invalid_credentials');
    });

    test('cannot be moved by an address change requested before', async () => {
      const { client, email, id } = await squatted();
      await server().database.query(OWNER, 'delete from auth.mfa_factors where user_id = $1', [id]);
      await client.auth.updateUser({ email: 'carried-away@example.com' });
      const planted = await mailTo('carried-away@example.com', 'email_change');
      await server().visitor().auth.signInWithOtp({ email });
      const { code } = await mailTo(email, 'magic_link');
      await server().visitor().auth.verifyOtp({ email, token: code, type: 'email' });

      const theft = await server()
        .visitor()
        .auth.verifyOtp({ email: 'carried-away@example.com', token: planted.code, type: 'email_change' });

      expect(theft.error?.code).toBe('otp_expired');
    });

    test('keeps its password when its own sign-up is confirmed', async () => {
      const { email, password, accessToken } = await server().user();

      await confirm(email);

      expect((await signIn(email, password)).error).toBeNull();
      expect(await statusOfUser(accessToken)).toBe(200);
    });

    test('keeps everything for a user with both its live session and the email', async () => {
      const { email, password, accessToken } = await server().user();
      await server().visitor().auth.signInWithOtp({ email });
      const { code } = await mailTo(email, 'magic_link');

      const answer = await post(
        '/auth/v1/verify',
        { email, token: code, type: 'email' },
        { authorization: `Bearer ${accessToken}` },
      );

      expect(answer.status).toBe(200);
      expect(await statusOfUser(accessToken)).toBe(200);
      expect((await signIn(email, password)).error).toBeNull();
    });

    test('keeps nothing for a live session of another user', async () => {
      const { email, accessToken } = await server().user();
      const stranger = await server().user();
      await server().visitor().auth.signInWithOtp({ email });
      const { code } = await mailTo(email, 'magic_link');

      await post(
        '/auth/v1/verify',
        { email, token: code, type: 'email' },
        { authorization: `Bearer ${stranger.accessToken}` },
      );

      expect(await statusOfUser(accessToken)).toBe(403);
      expect(await statusOfUser(stranger.accessToken)).toBe(200);
    });

    test('loses nothing when the address was confirmed before', async () => {
      const { email, password, accessToken } = await server().user();
      await confirm(email);
      await server().visitor().auth.signInWithOtp({ email });
      const { code } = await mailTo(email, 'magic_link');

      await server().visitor().auth.verifyOtp({ email, token: code, type: 'email' });

      expect(await statusOfUser(accessToken)).toBe(200);
      expect((await signIn(email, password)).error).toBeNull();
    });
  });
});
