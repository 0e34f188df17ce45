import { expect, test } from 'vitest';
import { plain, signIn } from './second-factor-messages.ts';
import { emailChangeMessage, signInMethodMessage } from './sign-in-method-messages.ts';

const OTHERWISE = 'We couldn’t link this sign-in.';

test.each([
  [
    'reauthentication_needed',
    signIn('Your last sign-in is more than a day ago. Sign in again to change how you sign in.'),
  ],
  ['insufficient_aal', signIn('Sign in again with a code from your app to change how you sign in.')],
  ['identity_already_exists', plain('This sign-in already belongs to an account. Nothing has changed.')],
  ['access_denied', plain('Linking was cancelled. Nothing has changed.')],
  ['bad_jwt', signIn('This session has ended. Sign in again.')],
  ['unexpected_failure', plain(OTHERWISE)],
])('explains why a sign-in method was not changed: %s', (code, problem) => {
  expect(signInMethodMessage({ code, status: 422 }, OTHERWISE)).toEqual(problem);
});

test.each([
  ['email_exists', 422, plain('Another account already uses this address.')],
  ['insufficient_aal', 403, signIn('Sign in again with a code from your app to change your address.')],
  ['session_not_found', 403, signIn('This session has ended. Sign in again.')],
  [
    'over_email_send_rate_limit',
    429,
    plain('Too many requests. Please wait a minute before you request another email.'),
  ],
  ['unexpected_failure', 500, plain('We couldn’t request the change. Your address stays the same. Please try again.')],
])('explains why an address was not changed: %s', (code, status, problem) => {
  expect(emailChangeMessage({ code, status })).toEqual(problem);
});
