/** The client library creates accounts and signs in to them. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { signUpMessage } from '../../domain/account/auth-messages.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openPlace, places } from './support/fronted.ts';

// Runs on both databases, because SQL and triggers create the first accounts of a site, and behind a front, because a
// hosted project must answer the same.
describe.each(places())('accounts on %s', (place) => {
  const server = openedForTests(() => openPlace(place));

  describe('sign-up', () => {
    test('returns a session immediately, with the user as the hosted service shows it', async () => {
      const client = server().visitor();

      const { data, error } = await client.auth.signUp({
        email: ' Ada@Example.COM ',
        password: 'Password1',
        options: { data: { full_name: 'Ada' } },
      });

      expect(error).toBeNull();
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
      expect(data.user).toMatchObject({
        aud: 'authenticated',
        role: 'authenticated',
        email: 'ada@example.com',
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: { full_name: 'Ada' },
        is_anonymous: false,
        identities: [{ provider: 'email', user_id: data.user?.id, id: data.user?.id }],
      });
      expect(data.user?.last_sign_in_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
      expect(data.user).not.toHaveProperty('email_confirmed_at');
      expect(JSON.stringify(data)).not.toContain('$2b$');
    });

    test('issues an ES256 token with the agreed claims, which the public keys verify', async () => {
      const { client, accessToken, id, email } = await server().user();

      const { data, error } = await client.auth.getClaims();

      expect(error).toBeNull();
      expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
      expect(data?.claims).toMatchObject({
        sub: id,
        aud: 'authenticated',
        role: 'authenticated',
        email,
        phone: '',
        aal: 'aal1',
        amr: [{ method: 'password', timestamp: expect.any(Number) }],
        iss: expect.stringMatching(/\/auth\/v1$/),
        session_id: expect.any(String),
        app_metadata: { provider: 'email' },
        user_metadata: {},
      });
      const { iat = 0, exp = 0 } = decodeJwt(accessToken);
      expect(exp - iat).toBe(3600);
    });

    test('refuses an address that has an account, in any letter case', async () => {
      const { email } = await server().user();

      const { data, error } = await server()
        .visitor()
        .auth.signUp({ email: email.toUpperCase(), password: 'Password1' });

      expect(data.session).toBeNull();
      expect(error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
    });

    test('creates one account from three simultaneous sign-ups', async () => {
      const credentials = { email: `twin@example.com`, password: 'Password1' };

      const answers = await Promise.all([1, 2, 3].map(() => server().visitor().auth.signUp(credentials)));

      const codes = answers.map(({ error }) => error?.code ?? 'signed up').sort();
      expect(codes).toEqual(['signed up', 'user_already_exists', 'user_already_exists']);
    });

    test('refuses a short password with the reason', async () => {
      const { error } = await server().visitor().auth.signUp({ email: 'short@example.com', password: '12345' });

      expect(error).toMatchObject({
        status: 422,
        code: 'weak_password',
        message: 'Password should be at least 6 characters.',
        reasons: ['length'],
      });
    });

    test('refuses a password that bcrypt would truncate', async () => {
      const { error } = await server()
        .visitor()
        .auth.signUp({ email: 'long@example.com', password: 'é'.repeat(37) });

      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test.each(['nobody', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com', `${'a'.repeat(300)}@b.com`])(
      'refuses the address %j with a message that the form recognises',
      async (email) => {
        const { error } = await server().visitor().auth.signUp({ email, password: 'Password1' });

        expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
        expect(signUpMessage(error?.message ?? '')).toBe('Please enter a valid email address.');
      },
    );

    test('refuses phones and anonymous accounts', async () => {
      const phone = await server().visitor().auth.signUp({ phone: '+10000000000', password: 'Password1' });
      const anonymous = await server().visitor().auth.signInAnonymously();

      expect(phone.error?.code).toBe('phone_provider_disabled');
      expect(anonymous.error?.code).toBe('anonymous_provider_disabled');
    });
  });

  describe('sign-in', () => {
    test('returns a session for the right password', async () => {
      const { email, password, id } = await server().user();
      const client = server().visitor();

      const { data, error } = await client.auth.signInWithPassword({ email, password });

      expect(error).toBeNull();
      expect(data.user?.id).toBe(id);
      expect((await client.auth.getUser()).data.user?.id).toBe(id);
    });

    test('refuses a banned account', async () => {
      const { email, password, id } = await server().user();
      await server().database.query(
        OWNER,
        "update auth.users set banned_until = now() + interval '1 day' where id = $1",
        [id],
      );

      const { error } = await server().visitor().auth.signInWithPassword({ email, password });

      expect(error?.code).toBe('user_banned');
    });
  });
});
