/**
 * What a mail's link or a provider put into the URL leaves it before anything else runs; the answer is stored in the
 * history entry's state, where it survives a reload.
 */
import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { LINK_OF_ANOTHER_BROWSER, linkMessage, ONE_MORE_LINK } from '#domain/account/auth-messages.ts';
import { pageState } from '../page-state.ts';
import { hasStoredSession, takeBegunSignIn } from '../platform/account/session-storage.ts';
import { reportError } from '../platform/error-log.ts';
import { supabase } from '../platform/supabase.ts';
import { toast } from '../ui/overlay/toast.ts';
import type { ReturnState } from './return-path.ts';
import { signOut, useSession } from './session.ts';

export interface Address {
  search: string;
  hash: string;
}

/** A URL and the state of its history entry, as returned by `useLocation`. */
export interface Entry extends Address {
  pathname: string;
  state: unknown;
}

export type LinkAnswer =
  /** `error_code` of the auth service; empty if it sent none. */
  | { kind: 'refused'; code: string }
  /** The first of the two links that change an email address. */
  | { kind: 'one-more' }
  | { kind: 'signed-in' }
  /** The link was valid, but another browser requested it, so this one can't exchange the code. */
  | { kind: 'elsewhere' };

/** What arrived, before it is interpreted. A ready-made session isn't accepted: it has no code. */
type Arrival =
  | { kind: 'refused'; code: string }
  | { kind: 'one-more' }
  | { kind: 'proof'; code: string | null; flowId: string | null };

const FLOW_ID = 'sb_flow_id';
const IN_SEARCH = ['code', FLOW_ID, 'error', 'error_code', 'error_description'];
const IN_HASH = [
  ...['error', 'error_code', 'error_description', 'message', 'sb', 'type', 'token_type'],
  ...['access_token', 'refresh_token', 'expires_in', 'expires_at', 'provider_token', 'provider_refresh_token'],
];

/** Marks the redirect of a confirmation mail: a refusal there is about the link, not about a provider. */
const FROM = 'from';
export type MailOrigin = 'mail' | 'change';
const CALLBACK = '/auth/callback';
/** A provider's refusals that concern linking an identity, not the signed-in user. */
const SESSION_STAYS: ReadonlySet<string> = new Set([
  'identity_already_exists',
  'identity_not_found',
  'single_identity_not_deletable',
]);

/** A code that was used, has expired, or belongs to another sign-in. */
const SPENT: ReadonlySet<string> = new Set(['flow_state_not_found', 'flow_state_expired', 'bad_code_verifier']);

/** The redirect target of a mail's link that confirms the account's address, or the change to another. */
export function confirmationTarget(origin: MailOrigin = 'mail'): string {
  const target = new URL(CALLBACK, window.location.origin);
  target.searchParams.set(FROM, origin);
  return target.href;
}

/** Null if the link was not in a mail. */
export function mailOrigin(search: string): MailOrigin | null {
  const origin = new URLSearchParams(search).get(FROM);
  return origin === 'mail' || origin === 'change' ? origin : null;
}

export type LinkableProvider = 'google' | 'github';
const LINKED = 'linked';
const LINKS_PAGE = '/account';

/** The redirect target of a provider that is being linked: not the callback, because a refusal ends no session. */
export function linkTarget(provider: LinkableProvider): string {
  const target = new URL(LINKS_PAGE, window.location.origin);
  target.searchParams.set(LINKED, provider);
  return target.href;
}

/** The provider that redirected here after linking. Anyone can forge it. */
export function linkReturn({ pathname, search }: Pick<Entry, 'pathname' | 'search'>): LinkableProvider | null {
  const name = pathname === LINKS_PAGE ? new URLSearchParams(search).get(LINKED) : null;
  return name === 'google' || name === 'github' ? name : null;
}

/** Call it before the router first reads the URL: whatever fails later, no secret stays to be copied or remembered. */
export function hideArrival(): void {
  const arrival = arrivalIn(window.location);
  if (arrival === null) return;
  const { search, hash } = withoutArrival(window.location);
  const entry: unknown = window.history.state;
  const state = { ...asObject(entry), usr: { ...asObject(asObject(entry).usr), arrival } };
  window.history.replaceState(state, '', window.location.pathname + search + hash);
}

/** True until the link's data is interpreted. */
export function isArriving(entry: Address & { state?: unknown }): boolean {
  return arrivalOf(entry) !== null;
}

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

/** The same URL without a link's data; a fragment that names a section stays. */
export function withoutArrival({ search, hash }: Address): Address {
  const query = new URLSearchParams(search);
  for (const name of IN_SEARCH) query.delete(name);
  const fragment = new URLSearchParams(hash.slice(1));
  const isAnswer = IN_HASH.some((name) => fragment.has(name));
  return { search: query.size === 0 ? '' : `?${query}`, hash: isAnswer ? '' : hash };
}

export function linkAnswerOf(state: unknown): LinkAnswer | null {
  const { kind, code } = asObject(asObject(state).linkAnswer);
  if (kind === 'refused') return { kind, code: typeof code === 'string' ? code : '' };
  return kind === 'one-more' || kind === 'signed-in' || kind === 'elsewhere' ? { kind } : null;
}

/** @param state  of the history entry; all of it stays except the data that is answered */
export function withLinkAnswer(state: unknown, linkAnswer: LinkAnswer): object {
  return { ...asObject(state), arrival: undefined, linkAnswer };
}

function arrivalOf({ search, hash, state }: Address & { state?: unknown }): Arrival | null {
  return arrivalIn({ search, hash }) ?? hiddenArrival(state);
}

function arrivalIn({ search, hash }: Address): Arrival | null {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  const get = (name: string) => fragment.get(name) ?? query.get(name);
  if (get('error') !== null || get('error_code') !== null || get('error_description') !== null)
    return { kind: 'refused', code: get('error_code') ?? '' };
  if (query.get('code') !== null || fragment.get('access_token') !== null)
    return { kind: 'proof', code: query.get('code'), flowId: query.get(FLOW_ID) };
  return fragment.get('message') === null ? null : { kind: 'one-more' };
}

function hiddenArrival(state: unknown): Arrival | null {
  const { kind, code, flowId } = asObject(asObject(state).arrival);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  if (kind === 'refused') return { kind, code: text(code) ?? '' };
  if (kind === 'proof') return { kind, code: text(code), flowId: text(flowId) };
  return kind === 'one-more' ? { kind } : null;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
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
