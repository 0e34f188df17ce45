import type { ReportedProblem } from './second-factor-messages.ts';

const SIGN_IN: Readonly<Record<string, string>> = {
  'account/proof-needed': 'Your last sign-in was more than ten minutes ago. Sign in again, then delete your account.',
  'auth/second-factor-needed': 'Sign in again with a code from your app, then delete your account.',
  'auth/session-ended': 'This session has ended. Sign in again.',
};
const MESSAGES: Readonly<Record<string, string>> = {
  'billing/busy': 'A change to your plan is in progress. Nothing was deleted. Please try again in a moment.',
  'billing/provider-unavailable':
    'The payment provider isn’t responding, so we couldn’t end your plan. Nothing was deleted. Please try again later.',
  'billing/provider-refused':
    'The payment provider didn’t let us end your plan. Nothing was deleted. Please try again later, or write to us.',
  'request/too-many': 'Too many attempts within an hour. Nothing was deleted. Please wait a while.',
};
const UNKNOWN = 'We don’t know whether your account was deleted. Reload this page to see.';

/** @param refusal.message the server's, for the codes that only this call has */
export function deletionMessage({ code = '', message }: { code?: string; message?: string }): ReportedProblem {
  const signIn = SIGN_IN[code];
  if (signIn !== undefined) return { message: signIn, needsSignIn: true };
  const own = code.startsWith('account/') ? message : undefined;
  return { message: MESSAGES[code] ?? own ?? UNKNOWN, needsSignIn: false };
}
