/** Lists, links and unlinks the account's sign-in methods, and changes its email address. */
import type { UserIdentity } from '@supabase/auth-js';
import { type AuthRefusal, codeMessage, PROVIDERS_NEED_STORAGE } from '#domain/account/auth-messages.ts';
import { plain, type ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { emailChangeMessage, signInMethodMessage } from '#domain/account/sign-in-method-messages.ts';
import { isStorageOpen, takeBegunSignIn } from '../../../platform/account/session-storage.ts';
import { serverMessage } from '../../../platform/calls/server-message.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';
import { confirmationTarget, type LinkableProvider, linkTarget } from '../../../session/link-targets.ts';

export interface SignInMethods {
  /** Null for an account of a wallet. */
  email: string | null;
  isConfirmed: boolean;
  /** Requested, and not yet confirmed. */
  newEmail: string | null;
  identities: readonly UserIdentity[];
}

/** The address may have been confirmed in another browser; the session then follows. @throws AuthError */
export async function fetchSignInMethods(): Promise<SignInMethods> {
  const { auth } = await supabase();
  const { data, error } = await auth.getUser();
  if (error !== null) throw error;
  const { email = '', email_confirmed_at, new_email = '', identities = [] } = data.user;
  const stored = await auth.getSession();
  if ((stored.data.session?.user.email ?? email) !== email) await auth.refreshSession();
  return {
    email: email === '' ? null : email,
    isConfirmed: email_confirmed_at != null,
    newEmail: new_email === '' ? null : new_email,
    identities,
  };
}

/** Linking needs no code afterwards, so its verifier is left over. */
export function forgetBegunLink(): void {
  takeBegunSignIn();
}

/** @returns null when the redirect to the provider has started */
export async function link(provider: LinkableProvider, otherwise: string): Promise<ReportedProblem | null> {
  if (!isStorageOpen()) return plain(PROVIDERS_NEED_STORAGE);
  return attempt(
    'link a sign-in method',
    async () => (await supabase()).auth.linkIdentity({ provider, options: { redirectTo: linkTarget(provider) } }),
    (refusal) => signInMethodMessage(refusal, otherwise),
  );
}

/** @returns null when the account no longer has this identity */
export async function unlink(identity: UserIdentity, name: string): Promise<ReportedProblem | null> {
  return attempt(
    'unlink a sign-in method',
    async () => (await supabase()).auth.unlinkIdentity(identity),
    (refusal) => {
      const otherwise = `We couldn’t unlink ${name}, so it still opens your account. Please try again.`;
      return signInMethodMessage(refusal, serverMessage(refusal, otherwise));
    },
  );
}

/** Sends an email to the new address and, if the account's address is confirmed, to that one. */
export async function requestEmailChange(email: string): Promise<ReportedProblem | null> {
  const options = { emailRedirectTo: confirmationTarget('change') };
  return attempt(
    'change of address',
    async () => (await supabase()).auth.updateUser({ email }, options),
    emailChangeMessage,
  );
}

/** @returns `one-more` after the first of two codes, or what to show when the code was refused */
export async function confirmEmailChange(
  email: string,
  code: string,
): Promise<'changed' | 'one-more' | { message: string }> {
  let isChanged = false;
  const refused = await attempt(
    'code of a changed address',
    async () => {
      const answer = await (await supabase()).auth.verifyOtp({ email, token: code, type: 'email_change' });
      isChanged = answer.data.session !== null;
      return answer;
    },
    (refusal) => (refusal.code === 'email_exists' ? emailChangeMessage(refusal) : plain(codeMessage(refusal))),
  );
  if (refused !== null) return refused;
  return isChanged ? 'changed' : 'one-more';
}

type ServerRefusal = AuthRefusal & { message?: string };

async function attempt(
  where: string,
  call: () => Promise<{ error: (Error & AuthRefusal) | null }>,
  toProblem: (refusal: ServerRefusal) => ReportedProblem,
): Promise<ReportedProblem | null> {
  try {
    const { error } = await call();
    if (error === null) return null;
    reportError(error, { where });
    return toProblem(error);
  } catch (error) {
    reportError(error, { where });
    return toProblem({});
  }
}
