/** Links that end in a code: only the browser that requested the email can exchange it for a session. */
import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

describeBothAtNight('links for the requesting browser', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { mailTo, follow } = mailCalls(server);

  /** Creates a client as our pages do, with its own storage. */
  function browser() {
    const memory = new Map<string, string>();
    const storage = {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => void memory.set(key, value),
      removeItem: (key: string) => void memory.delete(key),
    };
    return createClient(server().url, server().keys.anonKey, {
      auth: { flowType: 'pkce', storage, autoRefreshToken: false, detectSessionInUrl: false },
    });
  }
  const amrOf = (token: string | undefined) => decodeJwt(token ?? '').amr;
  const flowIdOf = (target: URL) => {
    const flowId = target.searchParams.get('sb_flow_id');
    return flowId === null ? {} : { flowId };
  };

  test('reset a forgotten password by email, link and code', async () => {
    const { email, id } = await server().user();
    const client = browser();

    await client.auth.resetPasswordForEmail(email, { redirectTo: `${server().url}/auth/reset-password` });
    const { link } = await mailTo(email, 'recovery');
    const { status, target } = await follow(link);
    const { data, error } = await client.auth.exchangeCodeForSession(
      target.searchParams.get('code') ?? '',
      flowIdOf(target),
    );

    expect(new URL(link).searchParams.get('token')).toMatch(/^pkce_/);
    expect([status, target.pathname, target.hash]).toEqual([303, '/auth/reset-password', '']);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(amrOf(data.session?.access_token)).toMatchObject([{ method: 'recovery' }]);
    expect((await client.auth.updateUser({ password: 'Password2' })).error).toBeNull();
    const signIn = await server().visitor().auth.signInWithPassword({ email, password: 'Password2' });
    expect(signIn.error).toBeNull();
  });

  test.each<[string, (client: ReturnType<typeof browser>, email: string) => Promise<unknown>, string, string]>([
    [
      'signs up',
      (client, email) => client.auth.signUp({ email, password: 'Password1' }),
      'confirmation',
      'email/signup',
    ],
    ['asks for a link', (client, email) => client.auth.signInWithOtp({ email }), 'magic_link', 'magiclink'],
  ])('return a code when a user %s', async (what, request, mailKind, method) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`;
    const client = browser();
    await request(client, email);
    const { link } = await mailTo(email, mailKind);

    const { target } = await follow(link);
    const { data, error } = await client.auth.exchangeCodeForSession(
      target.searchParams.get('code') ?? '',
      flowIdOf(target),
    );

    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
    expect(amrOf(data.session?.access_token)).toMatchObject([{ method }]);
  });

  test('return a code that another browser cannot use, and that its attempt spends', async () => {
    const { email } = await server().user();
    const client = browser();
    const thief = browser();
    await client.auth.signInWithOtp({ email });
    const { target } = await follow((await mailTo(email, 'magic_link')).link);
    const code = target.searchParams.get('code') ?? '';

    const { data } = await thief.auth
      .signInWithOtp({ email: 'thief@example.com' })
      .then(() => thief.auth.exchangeCodeForSession(code));
    const late = await client.auth.exchangeCodeForSession(code, flowIdOf(target));

    expect(data.session).toBeNull();
    expect(late.error?.code).toBe('flow_state_not_found');
  });

  test('are voided by the code of the same email, which opens a session', async () => {
    const { email, id } = await server().user();
    const client = browser();
    await client.auth.signInWithOtp({ email });
    const { link, code } = await mailTo(email, 'magic_link');

    const { data, error } = await client.auth.verifyOtp({ email, token: code, type: 'email' });
    const { target } = await follow(link);

    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(target.hash).toContain('error_code=otp_expired');
  });

  test('report the first agreement to a new address in the query, and return a code for the second', async () => {
    const { email, password, id } = await server().confirmedUser();
    const client = browser();
    await client.auth.signInWithPassword({ email, password });
    await client.auth.updateUser({ email: `new-${email}` });
    const links = [await mailTo(email, 'email_change'), await mailTo(`new-${email}`, 'email_change')];

    const [first, second] = [await follow(links[0]?.link ?? ''), await follow(links[1]?.link ?? '')];

    const message = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';
    expect(first.target.searchParams.get('message')).toBe(message);
    expect(new URLSearchParams(first.target.hash.slice(1)).get('message')).toBe(message);
    const code = second.target.searchParams.get('code') ?? '';
    const { data, error } = await client.auth.exchangeCodeForSession(code, flowIdOf(second.target));
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email: `new-${email}` });
  });

  test('return one code when used four times at the same time', async () => {
    const { email } = await server().user();
    await browser().auth.signInWithOtp({ email });
    const { link } = await mailTo(email, 'magic_link');

    const answers = await Promise.all([1, 2, 3, 4].map(() => follow(link)));

    expect(answers.filter(({ target }) => target.searchParams.has('code'))).toHaveLength(1);
  });
});
