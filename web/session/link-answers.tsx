/** Reads what a mail's link brought to any page, cleans the URL, and shows the outcome unless the page does. */
import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { LINK_OF_ANOTHER_BROWSER, linkMessage, ONE_MORE_LINK } from '#domain/account/auth-messages.ts';
import { toast } from '../ui/overlay/toast.ts';
import {
  isArriving,
  type LinkAnswer,
  linkAnswerOf,
  settleArrival,
  withLinkAnswer,
  withoutArrival,
} from './link-answer.ts';
import type { ReturnState } from './return-path.ts';
import { useSession } from './session.ts';

/** Pages whose own text shows the outcome. */
const PAGES_WITH_OWN_MESSAGE: ReadonlySet<string> = new Set(['/auth/callback', '/auth/reset-password']);
/** A fixed id: a repeated effect shows one toast. */
const TOAST = { id: 'link-answer' };

export function LinkAnswers() {
  const { initialized, user, needsSecondFactor } = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const isSignedIn = user !== null;
  useEffect(() => {
    if (!initialized || !isArriving(location)) return;
    let isCurrent = true;
    void settleArrival(location).then((answer) => {
      if (!isCurrent) return;
      const { pathname, state } = location;
      if (!PAGES_WITH_OWN_MESSAGE.has(pathname)) showAnswer(answer, isSignedIn);
      void navigate(
        { pathname, ...withoutArrival(location) },
        { replace: true, state: withLinkAnswer(state, answer), preventScrollReset: true },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [initialized, isSignedIn, location, navigate]);

  const { pathname, search, hash, state } = location;
  const isPendingHere = needsSecondFactor && !pathname.startsWith('/auth/');
  if (!isPendingHere || linkAnswerOf(state)?.kind !== 'signed-in') return null;
  // The link proved one factor: the sign-in page requests the other, and leads back.
  const from: ReturnState = { from: pathname + search + hash };
  return <Navigate to="/auth/signin" replace state={from} />;
}

function showAnswer(answer: LinkAnswer, isSignedIn: boolean): void {
  if (answer.kind === 'refused') toast.error(linkMessage(answer.code), TOAST);
  if (answer.kind === 'one-more') toast.success(ONE_MORE_LINK, TOAST);
  if (answer.kind === 'elsewhere' && !isSignedIn) toast.show(LINK_OF_ANOTHER_BROWSER, TOAST);
}
