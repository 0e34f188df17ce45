/**
 * /auth/reset-password: the target of password mails and invitations. An account with a second factor must show it
 * first.
 */
import { useState } from 'react';
import { useLocation } from 'react-router';
import { linkMessage } from '#domain/account/auth-messages.ts';
import { AuthFrame, NextStepLink } from '../../features/auth/auth-form.tsx';
import { InvitationForm } from '../../features/auth/invitation-form.tsx';
import { ResetPasswordForm } from '../../features/auth/reset-password-form.tsx';
import { SecondFactorForm } from '../../features/auth/second-factor-form.tsx';
import { isArriving, type LinkAnswer, linkAnswerOf } from '../../session/link-arrival.ts';
import { useSession } from '../../session/session.ts';
import { Loader } from '../../ui/status/loader.tsx';

export default function ResetPasswordPage() {
  const { initialized, user, pending } = useSession();
  const location = useLocation();
  const [accepted, setAccepted] = useState<string | null>(null);
  // In the fragment, which no server sees.
  const invitation = new URLSearchParams(location.hash.slice(1)).get('invite');
  const isReading = !initialized || isArriving(location);
  const answer = linkAnswerOf(location.state);
  if (isReading) {
    return (
      <AuthFrame heading="Reset password" lead="Checking your link.">
        <Loader />
      </AuthFrame>
    );
  }
  if (invitation !== null && invitation !== accepted)
    return (
      <InvitationForm token={invitation} signedInAs={user?.email ?? null} onAccepted={() => setAccepted(invitation)} />
    );
  // A failed link says nothing about another user who may be signed in, and must not lead to that user's password.
  const isLinkInvalid = answer !== null && answer.kind !== 'signed-in';
  if (user !== null && !isLinkInvalid) return <ResetPasswordForm email={user.email} />;
  if (pending !== null && !isLinkInvalid) return <SecondFactorForm pending={pending} />;
  return (
    <AuthFrame heading="Reset password" lead={describeExpired(answer)}>
      {user === null ? (
        <NextStepLink to="/auth/forgot-password">Request a new one</NextStepLink>
      ) : (
        <NextStepLink to="/auth/reset-password">Set a new password for {user.email ?? 'your account'}</NextStepLink>
      )}
    </AuthFrame>
  );
}

function describeExpired(answer: LinkAnswer | null): string {
  if (answer?.kind === 'refused') return linkMessage(answer.code);
  if (answer?.kind === 'elsewhere')
    return 'This link only works once, in the browser that requested it. Request a new one here.';
  return 'This link has expired. Request a new one.';
}
