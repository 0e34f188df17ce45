import {
  type AuthRefusal,
  codeMessage,
  linkMessage,
  mailMessage,
  NO_SESSION_AFTER_SIGN_UP,
  newPasswordMessage,
  PROVIDERS_NEED_STORAGE,
  providerMessage,
  SIGN_UP_EXCEPTION,
  signInMessage,
  signUpMessage,
} from '#domain/account/auth-messages.ts';
import type { SignInForm, SignUpForm } from '#domain/account/credentials.ts';
import { isStorageOpen } from '../../platform/account/session-storage.ts';
import { reportError } from '../../platform/error-log.ts';
import { supabase } from '../../platform/supabase.ts';
import { confirmationTarget } from '../../session/link-targets.ts';
import { insertProfile } from '../../session/profile.ts';

/** @returns an error message, or null when signed in */
export async function signIn(form: SignInForm): Promise<string | null> {
  try {
    const { error } = await (await supabase()).auth.signInWithPassword({ email: form.email, password: form.password });
    if (error === null) return null;
    reportError(error, { where: 'sign in' });
    return signInMessage(error.message);
  } catch (error) {
    reportError(error, { where: 'sign in' });
    return signInMessage('');
  }
}

/**
 * The provider returns to /auth/callback, and from there to `next`, a path of this site.
 * @returns an error message, or null when the redirect has started
 */
export async function signInWith(
  provider: { id: 'google' | 'github'; name: string },
  next: string,
): Promise<string | null> {
  // The callback needs the state that this browser stored before it left.
  if (!isStorageOpen()) return PROVIDERS_NEED_STORAGE;
  const redirectTo = new URL('/auth/callback', window.location.origin);
  redirectTo.searchParams.set('next', next);
  try {
    const { error } = await (await supabase()).auth.signInWithOAuth({
      provider: provider.id,
      options: { redirectTo: redirectTo.href },
    });
    if (error === null) return null;
    reportError(error, { where: 'sign in through a provider' });
  } catch (error) {
    reportError(error, { where: 'sign in through a provider' });
  }
  return providerMessage(provider.name);
}

/**
 * A failure to write the profile or the first activity is only reported.
 * @returns an error message, or null when the account exists and is signed in
 */
export async function signUp(form: SignUpForm): Promise<string | null> {
  try {
    const client = await supabase();
    const { data, error } = await client.auth.signUp({
      email: form.email,
      password: form.password,
      options: { data: { full_name: form.fullName }, emailRedirectTo: confirmationTarget() },
    });
    if (error) {
      reportError(error, { where: 'sign up' });
      return signUpMessage(error.message);
    }
    if (data.session === null || data.user === null) return NO_SESSION_AFTER_SIGN_UP;
    const userId = data.user.id;
    await Promise.all([
      insertProfile({ id: userId, email: form.email, fullName: form.fullName }),
      insertActivity(userId, form.fullName),
    ]);
    return null;
  } catch (error) {
    reportError(error, { where: 'sign up' });
    return SIGN_UP_EXCEPTION;
  }
}

async function insertActivity(userId: string, fullName: string): Promise<void> {
  try {
    const { error } = await (await supabase()).from('user_activity').insert({
      user_id: userId,
      activity_type: 'account_created',
      activity_data: { signup_method: 'email', provider: 'email', full_name: fullName },
    });
    if (error) reportError(new Error(error.message), { where: 'activity row' });
  } catch (error) {
    reportError(error, { where: 'activity row' });
  }
}

/** Email type of a code: `email` confirms an address, `recovery` allows a new password. */
export type MailCodeType = 'email' | 'recovery';

/** Requests a password email. Succeeds for unknown addresses too. @returns an error message, or null when requested */
export function sendPasswordMail(email: string): Promise<string | null> {
  const redirectTo = `${window.location.origin}/auth/reset-password`;
  return callAuth('password email', mailMessage, async () =>
    (await supabase()).auth.resetPasswordForEmail(email, { redirectTo }),
  );
}

/** Resends the confirmation email. @returns an error message, or null when requested */
export function sendConfirmation(email: string): Promise<string | null> {
  const options = { emailRedirectTo: confirmationTarget() };
  return callAuth('confirmation email', mailMessage, async () =>
    (await supabase()).auth.resend({ type: 'signup', email, options }),
  );
}

/** @returns an error message, or null when the code was right and this browser is signed in */
export function verifyCode(proof: { email: string; code: string; type: MailCodeType }): Promise<string | null> {
  const { email, code, type } = proof;
  return callAuth('email code', codeMessage, async () =>
    (await supabase()).auth.verifyOtp({ email, token: code, type }),
  );
}

/** @returns an error message, or null when this browser is signed in to the invited account */
export function acceptInvitation(token: string): Promise<string | null> {
  const toMessage = (refusal: AuthRefusal) =>
    refusal.code === 'otp_expired' ? linkMessage('otp_expired') : codeMessage(refusal);
  return callAuth('invitation', toMessage, async () =>
    (await supabase()).auth.verifyOtp({ token_hash: token, type: 'invite' }),
  );
}

/** @returns an error message, or null when the password is changed */
export async function setPassword(password: string): Promise<string | null> {
  const refused = await callAuth('new password', newPasswordMessage, async () =>
    (await supabase()).auth.updateUser({ password }),
  );
  if (refused === null) await import('../../platform/push.ts').then(({ keepPushHere }) => keepPushHere());
  return refused;
}

/** Refetches the user, who may have verified the address in another browser. A failure does no harm. */
export async function refetchVerification(): Promise<void> {
  try {
    const { auth } = await supabase();
    const { data } = await auth.getUser();
    if (data.user?.email_confirmed_at) await auth.refreshSession();
  } catch (error) {
    reportError(error, { where: 'verified address' });
  }
}

async function callAuth(
  where: string,
  toMessage: (refusal: AuthRefusal) => string,
  call: () => Promise<{ error: (Error & AuthRefusal) | null }>,
): Promise<string | null> {
  try {
    const { error } = await call();
    if (error === null) return null;
    reportError(error, { where });
    return toMessage(error);
  } catch (error) {
    reportError(error, { where });
    return toMessage({});
  }
}
