import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import {
  factorCodeSchema,
  mailAddressSchema,
  mailCodeSchema,
  newPasswordSchema,
  recoveryCodeSchema,
  signInSchema,
  signUpSchema,
} from './credentials.ts';

const NO_EMAIL = 'Please enter a valid email address';
const WEAK = 'Password must contain at least one uppercase letter, one lowercase letter, and one number';
const GOOD = { fullName: 'Ada', email: 'ada@example.com', password: 'Password1', confirmPassword: 'Password1' };

/** The first message of each field. */
function messages(schema: z.ZodMiniType, form: object): Record<string, string> {
  const parsed = schema.safeParse(form);
  const problems: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) problems[String(path[0])] ??= message;
  return problems;
}

const both = (password: string) => ({ password, confirmPassword: password });

test.each([
  ['no address', { email: 'ada' }, { email: NO_EMAIL }],
  ['an address longer than any', { email: `${'a'.repeat(250)}@example.com` }, { email: NO_EMAIL }],
  ['5 characters of password', { password: '12345' }, { password: 'Password must be at least 6 characters' }],
  ['6 characters of password', { password: '123456' }, {}],
  ['an address with spaces around it', { email: ' ada@example.com ' }, {}],
])('checks the sign-in form, %s', (_what, change, problem) => {
  expect(messages(signInSchema, { email: GOOD.email, password: GOOD.password, ...change })).toEqual(problem);
});

test.each([
  ['a name of 1', { fullName: 'A' }, { fullName: 'Full name must be at least 2 characters' }],
  ['a name of spaces', { fullName: '     ' }, { fullName: 'Full name must be at least 2 characters' }],
  ['a name of 2', { fullName: 'Al' }, {}],
  ['a name of 201', { fullName: 'A'.repeat(201) }, { fullName: 'Full name must be at most 200 characters' }],
  ['a name with NUL', { fullName: 'A\0da' }, { fullName: 'Full name contains a character that can’t be stored' }],
  ['half a character', { fullName: 'Ada \ud83d' }, { fullName: 'Full name contains a character that can’t be stored' }],
  ['no address', { email: 'ada@' }, { email: NO_EMAIL }],
  ['7 characters of password', both('Passwo1'), { password: 'Password must be at least 8 characters' }],
  ['8 characters of password', both('Passwor1'), {}],
  ['no uppercase letter', both('password1'), { password: WEAK }],
  ['no lowercase letter', both('PASSWORD1'), { password: WEAK }],
  ['no digit', both('Passwords'), { password: WEAK }],
  ['72 bytes of password', both(`Pw1${'x'.repeat(69)}`), {}],
  ['73 bytes of password', both(`Pw1${'x'.repeat(70)}`), { password: expect.stringMatching(/at most 72 characters/) }],
  ['40 characters of 2 bytes', both(`Pw1${'é'.repeat(37)}`), { password: expect.stringMatching(/at most 72 char/) }],
  ['another password the second time', { confirmPassword: 'Password2' }, { confirmPassword: "Passwords don't match" }],
])('checks the sign-up form, %s', (_what, change, problem) => {
  expect(messages(signUpSchema, { ...GOOD, ...change })).toEqual(problem);
});

test.each([
  ['a weak one', both('password1'), { password: WEAK }],
  ['a mistyped one', { ...both('Password1'), confirmPassword: 'x' }, { confirmPassword: "Passwords don't match" }],
  ['a good one', both('Password1'), {}],
])('checks a new password, %s', (_what, form, problem) => {
  expect(messages(newPasswordSchema, form)).toEqual(problem);
});

test('asks for an address when a password was forgotten', () => {
  expect(messages(mailAddressSchema, { email: 'ada@example' })).toEqual({ email: NO_EMAIL });
});

test('trims the values it parses, the name included', () => {
  const form = { ...GOOD, fullName: '  Ada Lovelace ', email: ' ada@example.com' };

  expect(signUpSchema.parse(form)).toEqual({ ...GOOD, fullName: 'Ada Lovelace' });
});

test.each([
  [mailCodeSchema, ' 123 456\n', '123456'],
  [factorCodeSchema, '12 34 56', '123456'],
  [recoveryCodeSchema, '7K2M-x4qp 9tha', '7k2mx4qp9tha'],
  [recoveryCodeSchema, '7k2m–x4qp—9tha', '7k2mx4qp9tha'],
])('accepts a code as it was copied: %#', (schema, typed, code) => {
  expect(schema.parse({ code: typed })).toEqual({ code });
});

test.each([
  [mailCodeSchema, '12345', 'Please enter the 6 digits from the email'],
  [factorCodeSchema, '12345a', 'Please enter the 6 digits from your app'],
  [factorCodeSchema, '１２３４５６', 'Please enter the 6 digits from your app'],
  [recoveryCodeSchema, '123456', 'Please enter the 12 characters of a recovery code'],
])('rejects an invalid code: %#', (schema, typed, problem) => {
  expect(messages(schema, { code: typed })).toEqual({ code: problem });
});
