/** Messages for a sign-in method that was not linked or unlinked, and for an address that was not changed. */
import { type AuthRefusal, mailMessage } from './auth-messages.ts';
import { plain, type ReportedProblem, sessionOver, signIn, tooMany } from './second-factor-messages.ts';

/** @param otherwise  for any other refusal */
export function signInMethodMessage(refusal: AuthRefusal, otherwise: string): ReportedProblem {
  switch (refusal.code) {
    case 'reauthentication_needed':
      return signIn('Your last sign-in is more than a day ago. Sign in again to change how you sign in.');
    case 'insufficient_aal':
      return signIn('Sign in again with a code from your app to change how you sign in.');
    case 'identity_already_exists':
      return plain('This sign-in already belongs to an account. Nothing has changed.');
    case 'access_denied':
      return plain('Linking was cancelled. Nothing has changed.');
    default:
      return sessionOver(refusal) ?? plain(tooMany(refusal) ?? otherwise);
  }
}

export function emailChangeMessage(refusal: AuthRefusal): ReportedProblem {
  switch (refusal.code) {
    case 'email_exists':
      return plain('Another account already uses this address.');
    case 'insufficient_aal':
      return signIn('Sign in again with a code from your app to change your address.');
    default:
      return sessionOver(refusal) ?? plain(refusal.status === 429 ? mailMessage(refusal) : NOT_REQUESTED);
  }
}

const NOT_REQUESTED = 'We couldn’t request the change. Your address stays the same. Please try again.';
