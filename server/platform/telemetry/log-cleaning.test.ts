import { expect, test } from 'vitest';
import { processorMs } from '../testing/processor-time.ts';
import { createLogger } from './log.ts';
import { cleanLine } from './log-cleaning.ts';

const MARK = 'MARKED5e7c0ffee';

function logged(write: (log: ReturnType<typeof createLogger>) => void): {
  text: string;
  line: Record<string, unknown>;
} {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line) => void lines.push(line) }));
  return { text: lines.join(''), line: JSON.parse(lines[0] ?? '{}') };
}

test.each([
  ...['password', 'new_password', 'currentPassword', 'passphrase', 'access_token', 'refreshToken', 'token_hash'],
  ...['id_token', 'provider_token', 'providerRefreshToken', 'authorization', 'Proxy-Authorization', 'apikey', 'apiKey'],
  ...[
    'cookie',
    'set-cookie',
    'Set-Cookie',
    'secret',
    'client_secret',
    'refreshSecret',
    'serviceRoleKey',
    'service_key',
  ],
  ...['code', 'auth_code', 'code_verifier', 'codeChallenge', 'nonce', 'signature', 'captcha_token', 'captchaSecret'],
  ...[
    'SAMLResponse',
    'samlResponse',
    'RelayState',
    'state',
    'otp',
    'smtpUrl',
    'SMTP_URL',
    'DATABASE_URL',
    'databaseUrl',
  ],
  ...[
    'connectionString',
    'dsn',
    'privateKey',
    'secretAccessKey',
    'S3_URL',
    ...['GOOGLE_CLIENT', 'GITHUB_CLIENT', 'ALPACA_KEY', 'PUSH_KEYS', 'COMMUNITY_COUNTERS'],
    'email',
    'ip',
    'x-forwarded-for',
  ],
])('removes the field %s at every depth, whatever it contains', (name) => {
  const { text } = logged((log) =>
    log.info({ [name]: MARK, a: { [name]: [MARK], b: { c: [{ [name]: { d: MARK } }] } } }, 'a line'),
  );

  expect(text).not.toContain(MARK);
  expect(text).toContain('a line');
});

test.each([
  ['a token', `token eyJhbGciOiJFUzI1NiJ9.${MARK}abcdef.${MARK}`],
  ['a bearer', `sent Bearer ${MARK}`],
  ['a login in an address', `connect postgres://kat:${MARK}@db.example:5432/kat failed`],
  ['a password with a slash in it', `smtps://kat:a/${MARK}@mail.example`],
  ['a code in an address', `GET /callback?code=${MARK}&x=1`],
  ['a fragment', `https://app.example/#access_token=${MARK}&type=signup`],
  ['an answer of SAML', `acs?SAMLResponse=${MARK}`],
  ['a key of a payment provider', `using sk_live_${MARK}${MARK}`],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${MARK}\n-----END PRIVATE KEY-----`],
  ['a private key that was cut off', `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${MARK}`],
  ['an address of a person', `sent to ${MARK}@example.com`],
])('removes %s from every text', (_what, text) => {
  const both = logged((log) => {
    log.error({ reason: text }, text);
    log.error(new Error(text), undefined);
    log.child({ part: text }).warn(new Error('outer', { cause: new Error(text) }));
  });

  expect(both.text).not.toContain(MARK);
  for (const line of both.text.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
});

test('keeps the messages of an error and its causes, and cleans each of them', () => {
  const cause = Object.assign(new Error(`no way to postgres://kat:${MARK}@db`), { code: 'ECONNREFUSED', port: 5432 });
  const middle = Object.assign(new TypeError('in between', { cause }), { options: { password: MARK }, code: '123456' });

  const { text, line } = logged((log) => log.error({ err: new Error('outer', { cause: middle }) }, 'failed'));

  expect(text).not.toContain(MARK);
  expect(line.err).toMatchObject({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('log-cleaning.test'),
    cause: {
      type: 'TypeError',
      code: '[removed]',
      cause: { code: 'ECONNREFUSED', port: 5432, message: 'no way to postgres://[removed]@db' },
    },
  });
});

test('does not repeat a body that could not be parsed', () => {
  let error: unknown;
  try {
    JSON.parse(MARK);
  } catch (thrown) {
    error = thrown;
  }

  const { text } = logged((log) => log.error({ err: new Error('body', { cause: error }) }, 'failed'));

  expect(String(error)).toContain(MARK.slice(0, 5));
  expect(text).not.toContain(MARK.slice(0, 6));
});

test('keeps what operators need', () => {
  const fields = {
    method: 'GET',
    path: '/auth/v1/token',
    status: 400,
    ms: 12,
    code: 'auth/bad-token',
    tokens: 3,
    url: 'wss://fstream.binance.com/ws',
    at: new Date(0),
    list: [1, { sym: 'BTCUSDT.P' }],
    isTokenLive: true,
  };

  const { line } = logged((log) => log.info(fields, 'request'));

  expect(line).toMatchObject({ ...fields, at: '1970-01-01T00:00:00.000Z', msg: 'request' });
});

test('removes the random name of a shared prediction from paths, and not the number of a public one', () => {
  const token = '0a1b2c3d4e5f'.repeat(3).slice(0, 32);
  const { text } = logged((log) => {
    for (const path of [`/f/${token}`, `/f/${token}.png`, `/embed/f/${token}`, `/f/12-0a1b2c3d4e5f.json`])
      log.info({ path, err: new Error(`GET ${path} failed`) }, 'request');
  });

  expect(text).not.toContain(token);
  expect(text).toContain('"path":"/f/[removed].png"');
  expect(text).toContain('"path":"/f/12-0a1b2c3d4e5f.json"');
});

test('handles circular, endless and deeply nested values', () => {
  const loop: Record<string, unknown> = { name: 'loop', big: 1n };
  loop.self = loop;
  const error = new Error('turns');
  error.cause = error;

  const { line } = logged((log) => log.error({ loop, err: error, many: Array.from({ length: 1000 }, (_, at) => at) }));

  expect(line).toMatchObject({ loop: { name: 'loop', big: '1', self: '[more]' }, err: { cause: '[more]' } });
});

test.each([
  'a-',
  'a.',
  'eyJ-',
  'x://',
  'a:b://c:',
  '&token',
  '?state=',
  'a@a.',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  '@',
])('cleans a long path of %s within 250 ms', (piece) => {
  const path = piece.repeat(16_384 / piece.length);

  // Takes the shortest of three runs: the first compiles.
  const tookMs = [1, 2, 3].map(() => {
    const startedMs = processorMs();
    logged((log) => log.info({ path }, 'request'));
    return processorMs() - startedMs;
  });

  expect(Math.min(...tookMs)).toBeLessThan(250);
});

test('cleans 256 KiB of private keys that never end within 250 ms', () => {
  const text = '-----BEGIN PRIVATE KEY-----A'.repeat(9362);

  const startedMs = processorMs();
  const cleaned = cleanLine(JSON.stringify({ text }));

  expect(processorMs() - startedMs).toBeLessThan(250);
  expect(cleaned).not.toContain('BEGIN');
});
