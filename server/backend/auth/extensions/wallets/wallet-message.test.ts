import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyTextOf } from '#domain/format/testing/any-text.ts';
import { processorMs } from '../../../../platform/testing/processor-time.ts';
import { AuthError } from '../../auth-error.ts';
import { readWalletMessage, requireCurrent } from './wallet-message.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const SECOND_MS = 1000;
const ADDRESS = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';

const LINES = [
  'kat.example wants you to sign in with your Ethereum account:',
  ADDRESS,
  '',
  'Sign in to Kat',
  '',
  'URI: https://kat.example/sign-in',
  'Version: 1',
  'Chain ID: 1',
  'Nonce: abcd1234',
  'Issued At: 2026-11-20T12:00:00.000Z',
];
const whole = LINES.join('\n');
const isKat = (uri: URL) => uri.origin === 'https://kat.example';

function refusal(work: () => unknown): AuthError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

test('reads a message into its parts', () => {
  const { uri, ...message } = readWalletMessage('ethereum', whole);

  expect(uri.href).toBe('https://kat.example/sign-in');
  expect(message).toEqual({
    scheme: null,
    domain: 'kat.example',
    address: ADDRESS.toLowerCase(),
    statement: 'Sign in to Kat',
    chainId: '1',
    issuedAtMs: NOON_MS,
    notBeforeMs: null,
    expiresAtMs: null,
  });
});

test('requires the scheme before the domain, if there is one, to match the site’s', () => {
  const over = (scheme: string) => readWalletMessage('ethereum', `${scheme}://${whole}`);

  expect(refusal(() => requireCurrent(over('https'), isKat, NOON_MS))).toBeNull();
  expect(refusal(() => requireCurrent(over('http'), isKat, NOON_MS))?.errorCode).toBe('validation_failed');
});

test('reads a statement that looks like a field as a statement, and reports the missing field', () => {
  const posed = whole
    .replace('Sign in to Kat', 'URI: https://kat.example/')
    .replace('URI: https://kat.example/sign-in\n', '');

  expect(refusal(() => readWalletMessage('ethereum', posed))?.message).toMatch(/URI is missing/);
});

describe("the message's time", () => {
  const issued = readWalletMessage('ethereum', whole);
  const bounded = readWalletMessage(
    'ethereum',
    `${whole}\nExpiration Time: 2026-11-20T12:05:00Z\nNot Before: 2026-11-20T13:00:30+01:00`,
  );

  test.each([
    ['a message of now', issued, 0, true],
    ['one from a clock a minute ahead', issued, -60, true],
    ['one from a clock further ahead', issued, -61, false],
    ['one just under ten minutes old', issued, 599, true],
    ['one of ten minutes', issued, 600, false],
    ['one that begins to be valid', bounded, 30, true],
    ['one just before that', bounded, 29, false],
    ['one just before it expires', bounded, 299, true],
    ['one that expires', bounded, 300, false],
  ])('decides whether to accept %s', (_what, message, afterS, isTaken) => {
    const outcome = refusal(() => requireCurrent(message, isKat, NOON_MS + afterS * SECOND_MS));

    expect(outcome === null).toBe(isTaken);
  });
});

describe('malformed messages', () => {
  const line = fc.oneof(
    fc.constantFrom(...LINES, 'Resources:', 'Resources', '- https://a.example/', 'Expiration Time: x', 'Request ID: '),
    anyTextOf({ maxLength: 80 }),
  );

  test('are accepted or refused with validation_failed, whatever the order of their lines', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom('ethereum', 'solana'), (lines, chain) => {
        const outcome = refusal(() => readWalletMessage(chain, lines.join('\n')));

        expect(outcome?.errorCode ?? 'validation_failed').toBe('validation_failed');
      }),
    );
  });

  test('are refused if one line is missing or repeated, except the statement', () => {
    LINES.forEach((missing, index) => {
      const without = LINES.toSpliced(index, 1).join('\n');
      const twice = LINES.toSpliced(index, 0, missing).join('\n');
      const isOptional = ['Sign in to Kat', ''].includes(missing) || missing.startsWith('Nonce');

      expect([missing, refusal(() => readWalletMessage('ethereum', twice)) === null]).toEqual([missing, false]);
      if (!isOptional) expect(refusal(() => readWalletMessage('ethereum', without))).not.toBeNull();
    });
  });

  test.each([
    ['a domain without end', 'a'.repeat(20_000)],
    ['many protocols', 'a://'.repeat(5000)],
    ['many resources', `${whole}\nResources:${'\n- https://a.example/'.repeat(900)}\n-`],
    ['many fields', `${whole}${'\nA: b'.repeat(3000)}`],
    ['a long time', `${whole.slice(0, -24)}${'0'.repeat(19_000)}`],
  ])('refuses %s within a second', (_what, text) => {
    const startedMs = processorMs();

    expect(refusal(() => readWalletMessage('ethereum', text))).not.toBeNull();
    expect(processorMs() - startedMs).toBeLessThan(1000);
  });
});
