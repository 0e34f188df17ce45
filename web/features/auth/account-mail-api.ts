/** Calls around account emails: request one, verify its code, set a new password. */
import { codeMessage, mailMessage, newPasswordMessage, type Refusal } from '#domain/account/auth-messages.ts';
import { reportError } from '../../platform/error-log.ts';
import { supabase } from '../../platform/supabase.ts';
import { confirmationTarget } from '../../session/link-answer.ts';

/** Email type of a code: `email` confirms an address, `recovery` allows a new password. */
export type MailCodeType = 'email' | 'recovery';

/** Requests a password email. Succeeds for unknown addresses too. @returns an error message, or null when requested */
export function sendPasswordMail(email: string): Promise<string | null> {
  const redirectTo = `${window.location.origin}/auth/reset-password`;
  return told('password mail', mailMessage, async () =>
    (await supabase()).auth.resetPasswordForEmail(email, { redirectTo }),
  );
}

/** Resends the confirmation email. @returns an error message, or null when requested */
export function sendConfirmation(email: string): Promise<string | null> {
  const options = { emailRedirectTo: confirmationTarget() };
  return told('confirmation mail', mailMessage, async () =>
    (await supabase()).auth.resend({ type: 'signup', email, options }),
  );
}

/** @returns an error message, or null when the code was right and this browser is signed in */
export function verifyCode(proof: { email: string; code: string; type: MailCodeType }): Promise<string | null> {
  const { email, code, type } = proof;
  return told('mail code', codeMessage, async () => (await supabase()).auth.verifyOtp({ email, token: code, type }));
}

/** @returns an error message, or null when the password is changed */
export function setPassword(password: string): Promise<string | null> {
  return told('new password', newPasswordMessage, async () => (await supabase()).auth.updateUser({ password }));
}

/** Refetches the user, who may have verified the address in another browser. A failure does no harm. */
export async function lookWhetherVerified(): Promise<void> {
  try {
    const { auth } = await supabase();
    const { data } = await auth.getUser();
    if (data.user?.email_confirmed_at) await auth.refreshSession();
  } catch (error) {
    reportError(error, { where: 'verified address' });
  }
}

async function told(
  where: string,
  words: (refusal: Refusal) => string,
  call: () => Promise<{ error: (Error & Refusal) | null }>,
): Promise<string | null> {
  try {
    const { error } = await call();
    if (error === null) return null;
    reportError(error, { where });
    return words(error);
  } catch (error) {
    reportError(error, { where });
    return words({});
  }
}
