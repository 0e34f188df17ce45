/** Resending an email, and the limits on emails. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../server/backend/limits.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

const MAIL_LIMIT = { mailPerAccount: { points: 1, perS: 60 } };

describeBothAtNight('email resend', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const { mailTo, mailsTo } = mailCalls(server);
  const resend = (email: string, type: string) => post('/auth/v1/resend', { email, type });

  test.each(['signup', 'email'])('confirms a signed-in account with type %s', async (type) => {
    const { client, email } = await server().user();

    const answer = await resend(email, type);
    const { code } = await mailTo(email, 'confirmation');
    const { error } = await client.auth.verifyOtp({ email, token: code, type: 'email' });

    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(error).toBeNull();
    expect((await client.auth.getUser()).data.user?.email_confirmed_at).toEqual(expect.any(String));
  });

  test('works through the client library', async () => {
    const { email } = await server().user();

    const { data, error } = await server().visitor().auth.resend({ type: 'signup', email });

    expect([data, error]).toEqual([{ user: null, session: null }, null]);
  });

  test('sends nothing to a confirmed address, or without a pending address change', async () => {
    const { email } = await server().user();
    const { code } = await mailTo(email, 'confirmation');
    await server().visitor().auth.verifyOtp({ email, token: code, type: 'signup' });

    const answers = await Promise.all([
      resend(email, 'signup'),
      resend(email, 'email_change'),
      resend('no@example.com', 'email_change'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await mailsTo(email)).map(({ state }) => state)).toEqual([
      'suppressed',
      'suppressed',
      'suppressed',
      'waiting',
    ]);
  });

  test('refuses phones and unknown types', async () => {
    const codes = await Promise.all(
      [
        { type: 'sms', phone: '+10000000000' },
        { type: 'phone_change', phone: '+10000000000' },
        { type: 'recovery', email: 'a@example.com' },
        { email: 'a@example.com' },
        { type: 'signup' },
      ].map(async (body) => (await (await post('/auth/v1/resend', body)).json()).error_code),
    );

    expect(codes).toEqual([
      'phone_provider_disabled',
      'phone_provider_disabled',
      ...Array(3).fill('validation_failed'),
    ]);
  });
});

describe('email limits', () => {
  const server = openedForTests(() => backendTestServer('pglite', { limits: MAIL_LIMIT }));
  const { post } = authCalls(server);

  test.each([
    ['/otp', { create_user: false }],
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
  ])('%s: sends an address one email a minute, known or not, in any letter case', async (path, fields) => {
    const { email } = await server().user();
    const unknown = `unknown${path.slice(1)}@example.com`;

    for (const address of [email, unknown]) {
      const first = await post(`/auth/v1${path}`, { ...fields, email: address });
      const second = await post(`/auth/v1${path}`, { ...fields, email: ` ${address.toUpperCase()}` });

      expect(first.status).toBe(200);
      expect(second.status).toBe(429);
      expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(await second.json()).toEqual({
        code: 429,
        error_code: 'over_email_send_rate_limit',
        msg: 'Too many requests',
      });
    }
  });

  test('allow a recovery and a confirmation after a sign-in link', async () => {
    const { email } = await server().user();

    const answers = [
      await post('/auth/v1/otp', { email }),
      await post('/auth/v1/recover', { email }),
      await post('/auth/v1/resend', { email, type: 'signup' }),
      await post('/auth/v1/resend', { email, type: 'email' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  });

  test('allow one resend right after a sign-up', async () => {
    const { email } = await server().user();

    const statuses = [];
    for (let turn = 0; turn < 2; turn += 1)
      statuses.push((await post('/auth/v1/resend', { email, type: 'signup' })).status);

    expect(statuses).toEqual([200, 429]);
  });

  test('count password codes and address changes too', async () => {
    const { client, email } = await server().user();

    const codes = [
      (await client.auth.reauthenticate()).error?.code,
      (await client.auth.reauthenticate()).error?.code,
      (await client.auth.updateUser({ email: `new-${email}` })).error?.code,
      (await client.auth.updateUser({ email: `new-${email}` })).error?.code,
    ];

    expect(codes).toEqual([undefined, 'over_email_send_rate_limit', undefined, 'over_email_send_rate_limit']);
  });
});

describe.each(['mailPerMailboxAnHour', 'mailPerMailboxADay'] as const)('mailbox limit %s', (limit) => {
  const perS = DEFAULT_LIMITS[limit].perS;
  const server = openedForTests(() => backendTestServer('pglite', { limits: { [limit]: { points: 3, perS } } }));
  const { post } = authCalls(server);
  const { mailsTo } = mailCalls(server);

  test('has one budget for all emails, however the address is written, known or not', async () => {
    const request = async (path: string, email: string) => {
      const answer = await post(path, { email, type: 'signup' });
      return [answer.status, (await answer.json()).error_code, Number(answer.headers.get('retry-after')) > perS - 60];
    };
    const fine = [200, undefined, false];
    const refused = [429, 'over_email_send_rate_limit', true];

    for (const name of ['known', 'unknown']) {
      if (name === 'known') await server().service().auth.signUp({ email: 'known@example.com', password: 'Password1' });
      expect(await request('/auth/v1/otp', `${name}@example.com`)).toEqual(fine);
      expect(await request('/auth/v1/recover', ` ${name.toUpperCase()}@Example.com`)).toEqual(fine);
      expect(await request('/auth/v1/resend', `${name}+tag@example.com`)).toEqual(fine);
      for (const path of ['/auth/v1/otp', '/auth/v1/recover', '/auth/v1/resend'])
        expect(await request(path, `${name}@example.com`)).toEqual(refused);
    }
    expect(await request('/auth/v1/recover', 'other@example.com')).toEqual(fine);
  });

  test('counts the emails of address changes too', async () => {
    const { client, email } = await server().user();
    const victim = `victim-of-${email}`;
    expect((await client.auth.updateUser({ email: victim })).error).toBeNull();
    for (let turn = 0; turn < 2; turn += 1)
      expect((await post('/auth/v1/resend', { email, type: 'email_change' })).status).toBe(200);

    expect((await post('/auth/v1/resend', { email, type: 'email_change' })).status).toBe(429);
    expect((await post('/auth/v1/recover', { email: victim })).status).toBe(429);
    expect((await client.auth.updateUser({ email: victim })).error?.code).toBe('over_email_send_rate_limit');
    expect(await mailsTo(victim)).toHaveLength(3);
  });

  test('suppresses more emails of address changes by others, without an error', async () => {
    const victim = `shared-${limit}@example.com`.toLowerCase();
    const [first, second] = [await server().user(), await server().user()];
    for (const { client } of [first, second])
      expect((await client.auth.updateUser({ email: victim })).error).toBeNull();
    for (const { email } of [first, second])
      expect((await post('/auth/v1/resend', { email, type: 'email_change' })).status).toBe(200);

    const states = (await mailsTo(victim)).map(({ state }) => state);
    expect(states.filter((state) => state !== 'suppressed')).toHaveLength(3);
    expect(states).toHaveLength(4);
  });
});

describe('limits of one client', () => {
  test('cover emails, codes and links', async () => {
    const limits = {
      mailPerAddress: { points: 3, perS: 300 },
      verifyPerAddress: { points: 3, perS: 300 },
    };
    const server = await backendTestServer('pglite', { limits });
    const { post } = authCalls(() => server);
    try {
      const mails = [];
      const codes = [];
      for (let turn = 0; turn < 4; turn += 1) {
        mails.push((await (await post('/auth/v1/recover', { email: `a${turn}@example.com` })).json()).error_code);
        const tried = { email: `a${turn}@example.com`, token: '123456', type: 'email' };
        codes.push((await (await post('/auth/v1/verify', tried)).json()).error_code);
      }
      const link = await fetch(`${server.url}/auth/v1/verify?token=x&type=email`, { redirect: 'manual' });

      expect(mails).toEqual([undefined, undefined, undefined, 'over_email_send_rate_limit']);
      expect(codes).toEqual(['otp_expired', 'otp_expired', 'otp_expired', 'over_request_rate_limit']);
      expect(link.headers.get('location')).toContain('error_code=over_request_rate_limit');
    } finally {
      await server.close();
    }
  });

  test.each([false, true])(
    'count sign-ups as the emails that they send (confirmation required: %s)',
    async (isRequired) => {
      const server = await backendTestServer('pglite', {
        limits: { mailPerAddress: { points: 2, perS: 300 } },
        accounts: { settings: { isConfirmationRequired: isRequired } },
      });
      const { post } = authCalls(() => server);
      try {
        const codes = [];
        for (const name of ['a', 'b', 'c']) {
          const credentials = { email: `${name}@example.com`, password: 'Password1' };
          codes.push((await (await post('/auth/v1/signup', credentials)).json()).error_code);
        }
        const recovery = await post('/auth/v1/recover', { email: 'a@example.com' });

        expect(codes).toEqual([undefined, undefined, 'over_email_send_rate_limit']);
        expect(recovery.status).toBe(429);
      } finally {
        await server.close();
      }
    },
  );

  test('cover wrong codes for one address across all its emails', async () => {
    const server = await backendTestServer('pglite', { limits: { codesPerAccount: { points: 3, perS: 3600 } } });
    const { post } = authCalls(() => server);
    const tried = { email: 'a@example.com', token: '123456', type: 'email' };
    try {
      const codes = [];
      for (let guess = 0; guess < 4; guess += 1)
        codes.push((await (await post('/auth/v1/verify', tried)).json()).error_code);
      const other = await post('/auth/v1/verify', { ...tried, email: 'b@example.com' });

      expect(codes).toEqual(['otp_expired', 'otp_expired', 'otp_expired', 'over_request_rate_limit']);
      expect(other.status).toBe(403);
    } finally {
      await server.close();
    }
  });
});
