/** Loads when a link has brought something: a code to exchange, a refusal, or the first of two confirmations. */
import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { LINK_OF_ANOTHER_BROWSER, linkMessage, ONE_MORE_LINK } from '#domain/account/auth-messages.ts';
import { pageState } from '../page-state.ts';
import { hasStoredSession, takeBegunSignIn } from '../platform/account/session-storage.ts';
import { reportError } from '../platform/error-log.ts';
import { supabase } from '../platform/supabase.ts';
import { toast } from '../ui/overlay/toast.ts';
import {
  arrivalOf,
  type Entry,
  isArriving,
  type LinkAnswer,
  linkAnswerOf,
  withLinkAnswer,
  withoutArrival,
} from './link-arrival.ts';
import { CALLBACK, linkReturn, mailOrigin } from './link-targets.ts';
import type { ReturnState } from './return-path.ts';
import { signOut, useSession } from './session.ts';

/** A provider's refusals that concern linking an identity, not the signed-in user. */
const SESSION_STAYS: ReadonlySet<string> = new Set([
  'identity_already_exists',
  'identity_not_found',
  'single_identity_not_deletable',
]);

/** A code that was used, has expired, or belongs to another sign-in. */
const SPENT: ReadonlySet<string> = new Set(['flow_state_not_found', 'flow_state_expired', 'bad_code_verifier']);

/** Exchanges the code once, however often it is called, and never rejects. Call it for an entry that `isArriving`. */
export async function settleArrival(entry: Entry): Promise<LinkAnswer> {
  const arrival = arrivalOf(entry);
  if (arrival === null) return { kind: 'elsewhere' };
  if (arrival.kind === 'proof')
    return arrival.code === null ? { kind: 'elsewhere' } : exchangeOnce(arrival.code, arrival.flowId);
  // Anyone can forge a link with an error: it ends the session only as the answer to a sign-in of this browser.
  if (arrival.kind === 'refused' && isProvidersRefusal(entry, arrival.code) && takeBegunSignIn()) await endSession();
  return arrival;
}

const exchanges = pageState(() => new Map<string, Promise<LinkAnswer>>());

function exchangeOnce(code: string, flowId: string | null): Promise<LinkAnswer> {
  const running = exchanges().get(code) ?? exchange(code, flowId);
  exchanges().set(code, running);
  return running;
}

async function exchange(code: string, flowId: string | null): Promise<LinkAnswer> {
  try {
    const { auth } = await supabase();
    const { error } = await auth.exchangeCodeForSession(code, flowId === null ? undefined : { flowId });
    if (error === null) return { kind: 'signed-in' };
    // The signed-in user may be the one whose address was just confirmed.
    if (error.name === 'AuthPKCECodeVerifierMissingError') await refreshStoredSession();
    else reportError(error, { where: 'link' });
    // This browser's own sign-in was refused, so an earlier session ends too.
    if (error.code !== undefined && SPENT.has(error.code)) await endSession();
  } catch (error) {
    // Offline: the link can't be used here now, as the answer says.
    reportError(error, { where: 'link' });
  }
  return { kind: 'elsewhere' };
}

async function refreshStoredSession(): Promise<void> {
  if (hasStoredSession()) await (await supabase()).auth.refreshSession();
}

async function endSession(): Promise<void> {
  if (hasStoredSession()) await signOut();
}

function isProvidersRefusal({ pathname, search }: Entry, code: string): boolean {
  return pathname === CALLBACK && mailOrigin(search) === null && !SESSION_STAYS.has(code);
}

/** Pages whose own text shows the outcome. */
const PAGES_WITH_OWN_MESSAGE: ReadonlySet<string> = new Set(['/auth/callback', '/auth/reset-password']);
/** A fixed id: a repeated effect shows one toast. */
const TOAST = { id: 'link-answer' };

/** Settles what a link brought to any page, cleans the URL, and shows the outcome unless the page does. */
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
      if (!PAGES_WITH_OWN_MESSAGE.has(pathname) && linkReturn(location) === null) showAnswer(answer, isSignedIn);
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
