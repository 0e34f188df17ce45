import { MOST_API_KEYS } from './api-key.ts';
import { ADDRESS_NOT_PROVEN, type AuthRefusal } from './auth-messages.ts';
import type { ReportedProblem } from './second-factor-messages.ts';

const SIGN_IN: Readonly<Record<string, string>> = {
  'auth/second-factor-needed': 'Sign in again with a code from your app to change your keys.',
  'auth/session-ended': 'This session has ended. Sign in again.',
};
const MESSAGES: Readonly<Record<string, string>> = {
  'account/address-not-proven': ADDRESS_NOT_PROVEN,
  'account/too-many-keys': `You have ${MOST_API_KEYS} keys, the most you can have. Revoke one that you no longer need first.`,
  'request/too-many': 'You made several keys within an hour. Please wait a while before making more.',
};

export function keyMakingMessage({ code = '' }: AuthRefusal): ReportedProblem {
  const signIn = SIGN_IN[code];
  if (signIn !== undefined) return { message: signIn, needsSignIn: true };
  return { message: MESSAGES[code] ?? 'We couldn’t create the key. Please try again.', needsSignIn: false };
}

export function keyRevokingMessage({ code = '' }: AuthRefusal): ReportedProblem {
  const signIn = SIGN_IN[code];
  if (signIn !== undefined) return { message: signIn, needsSignIn: true };
  return { message: 'We couldn’t revoke that key, so it still works. Please try again.', needsSignIn: false };
}
