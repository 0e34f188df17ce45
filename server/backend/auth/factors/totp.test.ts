import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { newTotp, stepOfCode } from './totp.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const STEP_MS = 30_000;

test('returns a new secret as base32, as an otpauth address and as a QR code of it', async () => {
  const { secret, uri, qrCode } = await newTotp({ issuer: 'kat.example:3000', label: 'ada+x@example.com' });

  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const url = new URL(uri);
  expect(decodeURIComponent(url.pathname)).toContain('kat.example:3000:ada+x@example.com');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'kat.example:3000',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(qrCode).toMatch(/^<svg [^>]*>.*<\/svg>$/s);
  expect(qrCode).not.toMatch(/[#%]/);
});

test('makes different secrets each time', async () => {
  const naming = { issuer: 'kat', label: 'ada' };

  const [one, other] = await Promise.all([newTotp(naming), newTotp(naming)]);

  expect(one.secret).not.toBe(other.secret);
});

test('fits the longest accepted names into the QR code', async () => {
  const { qrCode } = await newTotp({ issuer: '字'.repeat(60), label: `${'+'.repeat(243)}@example.com` });

  expect(qrCode).toContain('</svg>');
});

test.each([
  [-2, false],
  [-1, true],
  [0, true],
  [1, true],
  [2, false],
])('accepts a code of %i steps from now: %s', async (steps, isTaken) => {
  const secret = new Secret({ size: 20 });
  const atMs = NOON_MS + steps * STEP_MS;
  const code = new TOTP({ secret }).generate({ timestamp: atMs });

  const step = await stepOfCode(secret.base32, code, NOON_MS);

  expect(step).toBe(isTaken ? Math.floor(atMs / STEP_MS) : null);
});

test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', ' 12345', '12345\n'])('refuses %j as a code', async (code) => {
  expect(await stepOfCode(new Secret({ size: 20 }).base32, code, NOON_MS)).toBeNull();
});
