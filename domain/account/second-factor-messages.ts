import * as z from 'zod/mini';
import { type AuthRefusal, factorMessage } from './auth-messages.ts';
import { isPlainText } from './plain-text.ts';

const MAX_NAME = 100;

export const appNameSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please give the app a name'),
      z.maxLength(MAX_NAME, `The name must be at most ${MAX_NAME} characters`),
      z.refine(isPlainText, 'The name contains a character that can’t be stored'),
    ),
});

export interface ReportedProblem {
  message: string;
  needsSignIn: boolean;
}

export function setUpMessage(refusal: AuthRefusal): ReportedProblem {
  switch (refusal.code) {
    case 'reauthentication_needed':
      return signIn('Your last sign-in is more than a day ago. Sign in again to set up a second factor.');
    case 'insufficient_aal':
      return signIn('Another app already protects this account. Sign in again with its code to add one more.');
    case 'mfa_factor_name_conflict':
      return plain('You already have an app with this name. Choose another name.');
    case 'too_many_enrolled_mfa_factors':
      return plain('An account can have at most ten apps. Remove one first.');
    default:
      return sessionOver(refusal) ?? plain(tooMany(refusal) ?? 'We couldn’t set up the app. Please try again.');
  }
}

export function firstCodeMessage(refusal: AuthRefusal): ReportedProblem {
  switch (refusal.code) {
    case 'mfa_factor_not_found':
      return plain('This setup has expired. Cancel it, remove the entry from your app, and start again.');
    case 'mfa_verification_failed':
      return plain(
        'This code is wrong. Enter the one your app shows now. If it keeps failing, set your phone’s clock to automatic.',
      );
    default:
      return sessionOver(refusal) ?? plain(factorMessage(refusal));
  }
}

/** An app could not be removed. `insufficient_aal` is not handled here: the page requests a code instead. */
export function removalMessage(refusal: AuthRefusal): ReportedProblem {
  if (refusal.code === 'mfa_factor_not_found') return plain('This app has already been removed.');
  return sessionOver(refusal) ?? plain(tooMany(refusal) ?? 'We couldn’t remove the app. Please try again.');
}

export function recoveryCodesMessage(refusal: AuthRefusal): ReportedProblem {
  switch (refusal.code) {
    case 'auth/second-factor-needed':
      return signIn('Sign in again with a code from your app to create recovery codes.');
    case 'account/no-second-factor':
      return plain('Recovery codes need an authenticator app. Set one up first.');
    case 'request/too-many':
      return plain('You made several codes within an hour. Please wait a while before making more.');
    default:
      return sessionOver(refusal) ?? plain(tooMany(refusal) ?? 'We couldn’t create the codes. Please try again.');
  }
}

export function sessionOver({ code }: AuthRefusal): ReportedProblem | null {
  const isOver = code === 'session_not_found' || code === 'bad_jwt' || code === 'auth/session-ended';
  return isOver ? signIn('This session has ended. Sign in again.') : null;
}

export function tooMany({ status }: AuthRefusal): string | null {
  return status === 429 ? factorMessage({ status }) : null;
}

export function plain(message: string): ReportedProblem {
  return { message, needsSignIn: false };
}

export function signIn(message: string): ReportedProblem {
  return { message, needsSignIn: true };
}
