import { expect, test } from 'vitest';
import {
  AUTHENTICATION_FAILED,
  codeMessage,
  factorMessage,
  linkMessage,
  mailMessage,
  NO_SESSION_AFTER_SIGN_UP,
  newPasswordMessage,
  providerMessage,
  recoveryMessage,
  SIGN_UP_EXCEPTION,
  signInMessage,
  signUpMessage,
} from './auth-messages.ts';

/** R-AUTH-8 to R-AUTH-10: the server's message, then ours. */
test.each([
  ['Invalid login credentials', 'Invalid email or password. Please check your credentials and try again.'],
  ['Email not confirmed', 'Please check your email and click the confirmation link before signing in.'],
  ['Too many requests', 'Too many sign-in attempts. Please wait a moment before trying again.'],
  ['User is banned', 'An error occurred during sign-in. Please try again.'],
  ['Failed to fetch', 'An error occurred during sign-in. Please try again.'],
  ['', 'An error occurred during sign-in. Please try again.'],
])('maps the sign-in answer %j', (answer, message) => {
  expect(signInMessage(answer)).toBe(message);
});

test.each([
  ['User already registered', 'An account with this email already exists. Please sign in instead.'],
  ['Password should be at least 6 characters.', 'Password must be at least 6 characters long.'],
  ['Invalid email: Unable to validate email address: invalid format', 'Please enter a valid email address.'],
  ['data must not be larger than 3000 bytes', 'Failed to create account. Please try again.'],
  ['', 'Failed to create account. Please try again.'],
])('maps the sign-up answer %j', (answer, message) => {
  expect(signUpMessage(answer)).toBe(message);
});

test('has messages for failures without a server answer', () => {
  expect(providerMessage('Google')).toBe('Failed to sign in with Google. Please try again.');
  expect(providerMessage('GitHub')).toBe('Failed to sign in with GitHub. Please try again.');
  expect(AUTHENTICATION_FAILED).toBe('Authentication failed. Please try again.');
  expect(SIGN_UP_EXCEPTION).toBe('An unexpected error occurred. Please try again.');
  expect(NO_SESSION_AFTER_SIGN_UP).toBe(
    'Account created but failed to sign in automatically. Please sign in manually.',
  );
});

const LIMITED = { code: 'over_request_rate_limit', status: 429 };
const OUR_FAULT = { code: 'unexpected_failure', status: 500 };

test.each([
  ['a mail', mailMessage],
  ['a code of a mail', codeMessage],
  ['a code of the app', factorMessage],
  ['a recovery code', recoveryMessage],
  ['a new password', newPasswordMessage],
])(
  '%s: has messages for limits, server errors and a lost network, and only limits suggest to wait',
  (_what, messageOf) => {
    expect(messageOf(LIMITED)).toMatch(/^Too many requests\./);
    expect(messageOf(OUR_FAULT)).toMatch(/^We couldn’t .*Please try again\.$/);
    expect(messageOf({ status: 0 })).toBe(messageOf(OUR_FAULT));
  },
);

test.each([
  ['mfa_verification_failed', /^This code is wrong\./],
  ['mfa_challenge_expired', /try again/],
  ['mfa_ip_address_mismatch', /network changed/],
  ['mfa_factor_not_found', /no longer set up/],
  ['session_not_found', /has expired/],
  ['user_banned', 'This account is locked.'],
])('explains a refused authenticator code, %s', (code, message) => {
  expect(factorMessage({ code, status: 422 })).toMatch(message);
});

test.each([
  ['account/wrong-recovery-code', /wrong or was already used/],
  ['auth/session-ended', /has expired/],
])('explains a refused recovery code, %s', (code, message) => {
  expect(recoveryMessage({ code, status: 200 })).toMatch(message);
});

test.each(['same_password', 'weak_password', 'reauthentication_needed', 'insufficient_aal', 'session_not_found'])(
  'explains a refused new password, %s',
  (code) => {
    expect(newPasswordMessage({ code, status: 422 })).not.toBe(newPasswordMessage(OUR_FAULT));
  },
);

test('tells a wrong code of an email from a failure', () => {
  expect(codeMessage({ code: 'otp_expired', status: 403 })).toBe(
    'This code is wrong or has expired. Request a new one.',
  );
});

test.each([
  ['otp_expired', /^This link has expired or was already used\./],
  ['over_request_rate_limit', /^Too many requests\./],
  ['user_banned', 'This account is locked.'],
  ['email_exists', 'Another account already uses this address.'],
  ['identity_already_exists', 'This sign-in already belongs to another account.'],
])('explains why a link did not work: %s', (code, message) => {
  expect(linkMessage(code)).toMatch(message);
});

test('never shows text that another person wrote into an address', () => {
  expect(linkMessage('<b>call this number</b>')).toBe(AUTHENTICATION_FAILED);
});
