/** /auth/callback: where providers and links in confirmation mails redirect to. Shows failures. */
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import {
  ADDRESS_CONFIRMED,
  ADDRESS_VERIFIED,
  AUTHENTICATION_FAILED,
  linkMessage,
} from '#domain/account/auth-messages.ts';
import { AuthFrame, NextStepLink } from '../../features/auth/auth-form.tsx';
import { ConfirmationLinkOver } from '../../features/auth/confirmation-link-over.tsx';
import { isArriving, isFromMail, type LinkAnswer, linkAnswerOf } from '../../session/link-answer.tsx';
import { type ReturnState, returnPath } from '../../session/return-path.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../ui/layout/page.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { Loader } from '../../ui/status/loader.tsx';

/** A fixed id: a repeated effect shows one toast. */
const TOAST = { id: 'auth-callback' };

export default function AuthCallbackPage() {
  const { initialized, user, needsSecondFactor } = useSession();
  const location = useLocation();
  const answer = linkAnswerOf(location.state);
  if (!initialized || isArriving(location)) {
    return (
      <Page width="reading">
        <h1>Signing in</h1>
        <Loader />
      </Page>
    );
  }
  const isMail = isFromMail(location.search);
  const refusal = answer?.kind === 'refused' ? answer.code : null;
  // Only links in mails expire; the toast below shows a provider's refusals.
  if (refusal !== null && (isMail || refusal === 'otp_expired'))
    return <ConfirmationLinkOver code={refusal} user={user} />;
  if (isMail && user === null && answer?.kind === 'elsewhere') return <AddressConfirmed />;
  return (
    <CallbackRedirect
      isSignedIn={user !== null}
      needsSecondFactor={needsSecondFactor}
      isMail={isMail}
      answer={answer}
    />
  );
}

function AddressConfirmed() {
  return (
    <AuthFrame heading="Address confirmed" lead={ADDRESS_CONFIRMED}>
      <NextStepLink to="/auth/signin">Sign In</NextStepLink>
    </AuthFrame>
  );
}

interface CallbackRedirectProps {
  isSignedIn: boolean;
  /** The session waits for its second factor, which the sign-in page requests. */
  needsSecondFactor: boolean;
  isMail: boolean;
  answer: LinkAnswer | null;
}

/** Redirects to the page that the user came from, or, if not signed in, to sign-in with a message (R-AUTH-20). */
function CallbackRedirect({ isSignedIn, needsSecondFactor, isMail, answer }: CallbackRedirectProps) {
  const { search } = useLocation();
  const refusal = answer?.kind === 'refused' ? answer.code : null;
  const isVerified = isMail && answer?.kind === 'signed-in';
  useEffect(() => {
    if (!isSignedIn && !needsSecondFactor) toast.error(AUTHENTICATION_FAILED, TOAST);
    else if (refusal !== null) toast.error(linkMessage(refusal), TOAST);
    else if (isVerified) toast.success(ADDRESS_VERIFIED, TOAST);
  }, [isSignedIn, needsSecondFactor, refusal, isVerified]);
  const from = returnPath(search, null, window.location.origin);
  if (isSignedIn) return <Navigate to={from} replace />;
  return <Navigate to="/auth/signin" replace state={{ from } satisfies ReturnState} />;
}
