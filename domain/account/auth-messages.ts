/** Messages for a failed sign-in or sign-up, chosen by the server's message (R-AUTH-8, R-AUTH-9, R-AUTH-10). */
export function signInMessage(serverMessage: string): string {
  if (serverMessage.includes('Invalid login credentials'))
    return 'Invalid email or password. Please check your credentials and try again.';
  if (serverMessage.includes('Email not confirmed'))
    return 'Please check your email and click the confirmation link before signing in.';
  if (serverMessage.includes('Too many requests'))
    return 'Too many sign-in attempts. Please wait a moment before trying again.';
  return 'An error occurred during sign-in. Please try again.';
}

export function signUpMessage(serverMessage: string): string {
  if (serverMessage.includes('User already registered'))
    return 'An account with this email already exists. Please sign in instead.';
  if (serverMessage.includes('Password should be at least')) return 'Password must be at least 6 characters long.';
  if (serverMessage.includes('Invalid email')) return 'Please enter a valid email address.';
  return 'Failed to create account. Please try again.';
}

export function providerMessage(provider: string): string {
  return `Failed to sign in with ${provider}. Please try again.`;
}

export const NO_SESSION_AFTER_SIGN_UP = 'Account created but failed to sign in automatically. Please sign in manually.';
export const AUTHENTICATION_FAILED = 'Authentication failed. Please try again.';
export const SIGN_UP_EXCEPTION = 'An unexpected error occurred. Please try again.';

export interface AuthRefusal {
  code?: string | undefined;
  status?: number | undefined;
}

const TOO_MANY = 'Too many requests. Please wait a moment before trying again.';

/** An email request was refused. The message never reveals whether the address is known. */
export function mailMessage({ code, status }: AuthRefusal): string {
  if (status === 429 || code === 'over_email_send_rate_limit')
    return 'Too many requests. Please wait a minute before you request another email.';
  return 'We couldn’t send the email. Please try again.';
}

export function codeMessage({ code, status }: AuthRefusal): string {
  if (status === 429) return TOO_MANY;
  if (code === 'otp_expired') return 'This code is wrong or has expired. Request a new one.';
  return 'We couldn’t check the code. Please try again.';
}

export function factorMessage({ code, status }: AuthRefusal): string {
  if (status === 429) return TOO_MANY;
  switch (code) {
    case 'mfa_verification_failed':
      return 'This code is wrong. Enter the one your app shows now. Each code works only once.';
    case 'mfa_challenge_expired':
    case 'mfa_ip_address_mismatch':
      return 'That took too long, or your network changed. Please try again.';
    case 'mfa_factor_not_found':
      return 'This app is no longer set up for your account. Cancel and sign in again.';
    case 'session_not_found':
    case 'bad_jwt':
      return SIGN_IN_OVER;
    case 'user_banned':
      return 'This account is locked.';
    default:
      return 'We couldn’t check the code. Please try again.';
  }
}

/** A recovery code was refused: by its reason or, if the call itself failed, by the error code. */
export function recoveryMessage({ code, status }: AuthRefusal): string {
  if (status === 429) return TOO_MANY;
  if (code === 'account/wrong-recovery-code') return 'This recovery code is wrong or was already used.';
  if (code === 'auth/session-ended' || code === 'auth/bad-token') return SIGN_IN_OVER;
  return 'We couldn’t check the recovery code. Please try again.';
}

const SIGN_IN_OVER = 'This sign-in took too long and has expired. Cancel and sign in again.';

/** After a recovery code: the account is open, and its second factor has been removed. */
export const FACTORS_REMOVED = 'Your authenticator app was removed. Set up a new one under Security.';

export function newPasswordMessage({ code, status }: AuthRefusal): string {
  switch (code) {
    case 'same_password':
      return 'Please choose a password that’s different from your old one.';
    case 'weak_password':
      return 'Password must be at least 6 characters long.';
    case 'reauthentication_needed':
      return 'You signed in too long ago to change your password. Sign out, request a password email, and set a new password from its link.';
    case 'insufficient_aal':
      return 'This account has a second factor. Sign in with it before you change your password.';
    case 'session_not_found':
    case 'bad_jwt':
      return 'This session has ended. Request a new password email.';
    default:
      return status === 429 ? TOO_MANY : 'We couldn’t set the new password. Please try again.';
  }
}

/** An email link or provider returned this `error_code`. The URL's own message is untrusted and never shown. */
export function linkMessage(code: string): string {
  switch (code) {
    case 'otp_expired':
      return 'This link has expired or was already used. Request a new one.';
    case 'over_request_rate_limit':
      return TOO_MANY;
    case 'user_banned':
      return 'This account is locked.';
    case 'email_exists':
      return 'Another account already uses this address.';
    case 'identity_already_exists':
      return 'This sign-in already belongs to another account.';
    default:
      return AUTHENTICATION_FAILED;
  }
}

/** For a browser that blocks storage for this site. */
export const STORAGE_BLOCKED =
  'Your browser doesn’t store data for this site. You can sign in with a password, and stay signed in until you close or reload this page.';
export const PROVIDERS_NEED_STORAGE =
  'Your browser doesn’t store data for this site, and this way of signing in needs it. Allow it, or use your password.';

/** The link confirmed the address in a browser that did not request the email, so that browser is not signed in. */
export const ADDRESS_CONFIRMED = 'Your address is confirmed. Sign in.';
/** Any other email link opened in such a browser: the link is now used up. */
export const LINK_OF_ANOTHER_BROWSER = 'This link only works in the browser that requested it. Sign in here.';
/** A change of address sends a link to both addresses. */
export const ONE_MORE_LINK = 'Confirmed. Now open the link in the email we sent to your other address.';
export const ADDRESS_CHANGED = 'Your email address has been changed.';
export const ADDRESS_VERIFIED = 'Your email is verified.';
/** Refusal of keys, webhooks and chats. */
export const ADDRESS_NOT_PROVEN = 'Verify your email address first. The dashboard can send you the link.';
export const PASSWORD_CHANGED = 'Your password has been changed.';
