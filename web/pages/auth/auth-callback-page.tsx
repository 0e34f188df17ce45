/** /auth/callback: where providers and links in confirmation mails redirect to. Shows failures. */
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import {
  ADDRESS_CHANGED,
  ADDRESS_CONFIRMED,
  ADDRESS_VERIFIED,
  AUTHENTICATION_FAILED,
  linkMessage,
  ONE_MORE_LINK,
} from '#domain/account/auth-messages.ts';
import { AuthFrame, NextStepLink } from '../../features/auth/auth-form.tsx';
import { ChangeLinkOver, ConfirmationLinkOver } from '../../features/auth/confirmation-link-over.tsx';
import { isArriving, type LinkAnswer, linkAnswerOf } from '../../session/link-arrival.ts';
import { type MailOrigin, mailOrigin } from '../../session/link-targets.ts';
import { type ReturnState, returnPath } from '../../session/return-path.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../ui/layout/page.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { Loader } from '../../ui/status/loader.tsx';

/** A fixed id: a repeated effect shows one toast. */
const TOAST = { id: 'auth-callback' };
const PROVEN = { mail: ADDRESS_VERIFIED, change: ADDRESS_CHANGED } as const satisfies Record<MailOrigin, string>;

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
  const origin = mailOrigin(location.search);
  const refusal = answer?.kind === 'refused' ? answer.code : null;
  // Only links in mails expire; the toast below shows a provider's refusals.
  if (refusal !== null && origin === 'change') return <ChangeLinkOver code={refusal} />;
  if (refusal !== null && (origin === 'mail' || refusal === 'otp_expired'))
    return <ConfirmationLinkOver code={refusal} user={user} />;
  if (origin !== null && user === null && answer?.kind === 'elsewhere')
    return <AddressConfirmed lead={ADDRESS_CONFIRMED} />;
  if (origin !== null && user === null && answer?.kind === 'one-more') return <AddressConfirmed lead={ONE_MORE_LINK} />;
  return (
    <CallbackRedirect
      isSignedIn={user !== null}
      needsSecondFactor={needsSecondFactor}
      origin={origin}
      answer={answer}
    />
  );
}

function AddressConfirmed({ lead }: { lead: string }) {
  return (
    <AuthFrame heading="Address confirmed" lead={lead}>
      <NextStepLink to="/auth/signin">Sign In</NextStepLink>
    </AuthFrame>
  );
}

interface CallbackRedirectProps {
  isSignedIn: boolean;
  /** The session waits for its second factor, which the sign-in page requests. */
  needsSecondFactor: boolean;
  origin: MailOrigin | null;
  answer: LinkAnswer | null;
}

/** Redirects to the page that the user came from, or, if not signed in, to sign-in with a message (R-AUTH-20). */
function CallbackRedirect({ isSignedIn, needsSecondFactor, origin, answer }: CallbackRedirectProps) {
  const { search } = useLocation();
  const refusal = answer?.kind === 'refused' ? answer.code : null;
  const proven = origin !== null && answer?.kind === 'signed-in' ? PROVEN[origin] : null;
  const success = answer?.kind === 'one-more' ? ONE_MORE_LINK : proven;
  useEffect(() => {
    if (!isSignedIn && !needsSecondFactor) toast.error(AUTHENTICATION_FAILED, TOAST);
    else if (refusal !== null) toast.error(linkMessage(refusal), TOAST);
    else if (success !== null) toast.success(success, TOAST);
  }, [isSignedIn, needsSecondFactor, refusal, success]);
  const from = origin === 'change' ? '/account' : returnPath(search, null, window.location.origin);
  if (isSignedIn) return <Navigate to={from} replace />;
  return <Navigate to="/auth/signin" replace state={{ from } satisfies ReturnState} />;
}
