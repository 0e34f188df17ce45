import { expect, test } from 'vitest';
import {
  appNameSchema,
  firstCodeMessage,
  plain,
  recoveryCodesMessage,
  removalMessage,
  setUpMessage,
  signIn,
} from './second-factor-messages.ts';

const TOO_MANY = 'Too many requests. Please wait a moment before trying again.';

const CALLS = [
  ['setting up an app', setUpMessage, 'We couldn’t set up the app. Please try again.'],
  ['its first code', firstCodeMessage, 'We couldn’t check the code. Please try again.'],
  ['removing an app', removalMessage, 'We couldn’t remove the app. Please try again.'],
  ['recovery codes', recoveryCodesMessage, 'We couldn’t create the codes. Please try again.'],
] as const;

test.each(CALLS)('offers to sign in again when the session ended before %s', (_what, messageOf) => {
  for (const code of ['session_not_found', 'bad_jwt', 'auth/session-ended'])
    expect(messageOf({ code, status: 401 })).toEqual(signIn('This session has ended. Sign in again.'));
});

test.each(CALLS)('suggests to wait only after too many requests: %s', (_what, messageOf, failed) => {
  expect(messageOf({ code: 'over_request_rate_limit', status: 429 })).toEqual(plain(TOO_MANY));
  expect(messageOf({ code: 'unexpected_failure', status: 500 })).toEqual(plain(failed));
  expect(messageOf({})).toEqual(plain(failed));
});

test.each([
  ['reauthentication_needed', true, /^Your last sign-in is more than a day ago\./],
  ['insufficient_aal', true, /^Another app already protects this account\./],
  ['mfa_factor_name_conflict', false, /Choose another name\.$/],
  ['too_many_enrolled_mfa_factors', false, /at most ten apps\. Remove one first\.$/],
])('explains why an app was not set up: %s', (code, needsSignIn, message) => {
  expect(setUpMessage({ code, status: 422 })).toEqual({ message: expect.stringMatching(message), needsSignIn });
});

test.each([
  ['mfa_factor_not_found', /^This setup has expired\. .*remove the entry from your app/],
  ['mfa_verification_failed', /^This code is wrong\. .*clock to automatic\.$/],
  ['mfa_challenge_expired', /network changed/],
])('explains why the first code of an app was refused: %s', (code, message) => {
  expect(firstCodeMessage({ code, status: 422 })).toEqual(plain(expect.stringMatching(message)));
});

test('names an app that another page removed as removed', () => {
  expect(removalMessage({ code: 'mfa_factor_not_found', status: 404 })).toEqual(
    plain('This app has already been removed.'),
  );
});

test.each([
  ['auth/second-factor-needed', true, /code from your app/],
  ['account/no-second-factor', false, /Set one up first\.$/],
  ['request/too-many', false, /several codes within an hour/],
])('explains why there are no recovery codes: %s', (code, needsSignIn, message) => {
  expect(recoveryCodesMessage({ code, status: 200 })).toEqual({
    message: expect.stringMatching(message),
    needsSignIn,
  });
});

test.each([
  ['   ', 'Please give the app a name'],
  ['x'.repeat(101), 'The name must be at most 100 characters'],
  ['an\u0000app', 'The name contains a character that can’t be stored'],
])('refuses %j as the name of an app', (name, message) => {
  expect(appNameSchema.safeParse({ name }).error?.issues[0]?.message).toBe(message);
});

test('trims the name of an app', () => {
  expect(appNameSchema.parse({ name: `  ${'x'.repeat(100)} ` }).name).toBe('x'.repeat(100));
});
