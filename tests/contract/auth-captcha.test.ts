/** Captcha tokens, checked with a provider on loopback that answers as Turnstile and hCaptcha do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type CaptchaCheck, captchaCheck } from '../../server/backend/auth/captcha.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

interface Provider {
  url: string;
  /** The forms that it received. */
  requests: URLSearchParams[];
  /** Replaces its answer; by default it accepts the token `good`. */
  answer: ((form: URLSearchParams) => { status?: number; body: string }) | null;
  /** It answers later than the server waits. */
  isSlow: boolean;
  close(): Promise<void>;
}

async function startProvider(): Promise<Provider> {
  const judged = (form: URLSearchParams) =>
    form.get('response') === 'good'
      ? { body: JSON.stringify({ success: true, hostname: 'localhost' }) }
      : { body: JSON.stringify({ success: false, 'error-codes': ['invalid-input-response', '<b>no code</b>'] }) };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    provider.requests.push(form);
    const { status = 200, body } = (provider.answer ?? judged)(form) as { status?: number; body: string };
    if (!provider.isSlow) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    requests: [],
    answer: null,
    isSlow: false,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return provider;
}

async function open() {
  const provider = await startProvider();
  const options = { secret: 'our-secret', verifyUrl: provider.url };
  const [patient, hurried] = [captchaCheck(options), captchaCheck({ ...options, timeoutMs: 500 })];
  const captcha: CaptchaCheck = {
    require: (...sent) => (provider.isSlow ? hurried : patient).require(...sent),
  };
  const server = await backendTestServer('pglite', { accounts: { captcha } });
  return {
    provider,
    server,
    async close() {
      await server.close();
      await provider.close();
    },
  };
}

describe('captcha', () => {
  const opened = openedForTests(open);
  const { post } = authCalls(() => opened().server);
  const credentials = { email: 'ada@example.com', password: 'Password1' };

  test.each([
    ['/signup', credentials],
    ['/token?grant_type=password', credentials],
    ['/token?grant_type=web3', { chain: 'solana', message: 'x', signature: 'x' }],
    ['/otp', credentials],
    ['/recover', credentials],
    ['/resend', { ...credentials, type: 'signup' }],
  ])('is required at %s', async (path, body) => {
    const without = await post(`/auth/v1${path}`, body);
    const wrong = await post(`/auth/v1${path}`, { ...body, gotrue_meta_security: { captcha_token: 'bad' } });
    const right = await post(`/auth/v1${path}`, { ...body, gotrue_meta_security: { captcha_token: 'good' } });

    expect([without.status, await without.json()]).toEqual([
      400,
      {
        code: 400,
        error_code: 'captcha_failed',
        msg: 'captcha protection: request disallowed (no captcha_token found in request)',
      },
    ]);
    expect([wrong.status, (await wrong.json()).msg]).toEqual([
      400,
      'captcha protection: request disallowed (invalid-input-response)',
    ]);
    expect((await right.json()).error_code).not.toBe('captcha_failed');
  });

  test('accepts the token that the client library sends', async () => {
    const options = { captchaToken: 'good' };

    const { error } = await opened()
      .server.visitor()
      .auth.signUp({ email: 'bob@example.com', password: 'Password1', options });
    const otp = await opened().server.visitor().auth.signInWithOtp({ email: 'bob@example.com', options });

    expect([error, otp.error]).toEqual([null, null]);
  });

  test('sends secret, token and address as a form', async () => {
    const { provider } = opened();
    provider.requests.length = 0;

    await captchaCheck({ secret: 'our-secret', verifyUrl: provider.url }).require(' good ', '192.0.2.7');
    await captchaCheck({ secret: 'our-secret', verifyUrl: provider.url }).require('good', '2001:db8:1:2');

    expect(provider.requests.map((form) => Object.fromEntries(form))).toEqual([
      { secret: 'our-secret', response: 'good', remoteip: '192.0.2.7' },
      { secret: 'our-secret', response: 'good' },
    ]);
  });

  test.each<[string, Provider['answer']]>([
    ['fails', () => ({ status: 500, body: 'our-secret is wrong' })],
    ['answers something else', () => ({ body: '[]' })],
    ['sends too much', () => ({ body: `{"success":true,"x":"${'x'.repeat(100_000)}"}` })],
    ['is slow', null],
    ['leads elsewhere', () => ({ status: 302, body: '' })],
  ])('returns 503 when the provider %s', async (_what, answer) => {
    const { provider } = opened();
    provider.answer = answer;
    provider.isSlow = answer === null;
    try {
      const refused = await post('/auth/v1/recover', {
        email: 'ada@example.com',
        gotrue_meta_security: { captcha_token: 'good' },
      });

      const body = await refused.text();
      expect(refused.status).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ code: 503, error_code: 'unexpected_failure' });
      expect(body).not.toContain('secret');
    } finally {
      provider.answer = null;
      provider.isSlow = false;
    }
  });

  test('returns 503 when the provider is unreachable', async () => {
    const check = captchaCheck({ secret: 'x', verifyUrl: 'http://127.0.0.1:9/' });

    await expect(check.require('good', 'local')).rejects.toMatchObject({ status: 503 });
  });

  test.each([{ captcha_token: 5 }, { captcha_token: '' }, 'good', ['good'], null])(
    'rejects a request whose security field is %j',
    async (security) => {
      const answer = await post('/auth/v1/recover', { email: 'ada@example.com', gotrue_meta_security: security });

      expect([answer.status, (await answer.json()).error_code]).toEqual([400, 'captcha_failed']);
    },
  );
});
