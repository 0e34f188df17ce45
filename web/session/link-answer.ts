/**
 * What the link of a mail, or a provider, brought in the address: a code to exchange, a session, an error, a message.
 * It leaves the address before anything else runs; the answer to it then lies in the history entry's state, where it
 * outlives a reload.
 */
import { pageState } from '../page-state.ts';
import { hasStoredSession, takeBegunSignIn } from '../platform/account/session-storage.ts';
import { reportError } from '../platform/error-log.ts';
import { supabase } from '../platform/supabase.ts';
import { signOut } from './session.ts';

export interface Address {
  search: string;
  hash: string;
}

/** An address and the state of its history entry: what `useLocation` gives. */
export interface Entry extends Address {
  pathname: string;
  state: unknown;
}

export type LinkAnswer =
  /** `error_code` of the auth service; empty when it gave none. */
  | { kind: 'refused'; code: string }
  /** The first of two links of a change of address. */
  | { kind: 'one-more' }
  | { kind: 'signed-in' }
  /** The link was good, but this browser did not ask for it and holds nothing to exchange the code with. */
  | { kind: 'elsewhere' };

/** What came, before it is understood. A session that came ready-made is not taken over: it has no code. */
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

/** Marks the way back of a confirmation mail: a refusal there is about the link, not about a provider. */
const FROM_MAIL = { name: 'from', value: 'mail' } as const;
const CALLBACK = '/auth/callback';
/** A provider's refusals that are about linking an identity, not about who is signed in. Specification 1, section 8. */
const SESSION_STAYS: ReadonlySet<string> = new Set([
  'identity_already_exists',
  'identity_not_found',
  'single_identity_not_deletable',
]);

/** A code that was used, has expired, or was made for another sign-in. */
const SPENT: ReadonlySet<string> = new Set(['flow_state_not_found', 'flow_state_expired', 'bad_code_verifier']);

/** Where the link of a confirmation mail leads. */
export function confirmationTarget(): string {
  const target = new URL(CALLBACK, window.location.origin);
  target.searchParams.set(FROM_MAIL.name, FROM_MAIL.value);
  return target.href;
}

export function isFromMail(search: string): boolean {
  return new URLSearchParams(search).get(FROM_MAIL.name) === FROM_MAIL.value;
}

/**
 * Moves what a link brought from the address to the history entry's state, as the router keeps it. To be called before
 * the router first looks: whatever fails later, nothing that proves anything stays to be copied, shared or remembered.
 */
export function hideArrival(): void {
  const arrival = arrivalIn(window.location);
  if (arrival === null) return;
  const { search, hash } = withoutArrival(window.location);
  const entry: unknown = window.history.state;
  const state = { ...asObject(entry), usr: { ...asObject(asObject(entry).usr), arrival } };
  window.history.replaceState(state, '', window.location.pathname + search + hash);
}

/** True until what a link brought is understood. */
export function isArriving(entry: Address & { state?: unknown }): boolean {
  return arrivalOf(entry) !== null;
}

/**
 * Exchanges the code that came, once however often it is asked. Call it for an entry that `isArriving`.
 * @returns never fails: what cannot be used here counts as meant for elsewhere
 */
export async function settleArrival(entry: Entry): Promise<LinkAnswer> {
  const arrival = arrivalOf(entry);
  if (arrival === null) return { kind: 'elsewhere' };
  if (arrival.kind === 'proof')
    return arrival.code === null ? { kind: 'elsewhere' } : exchangeOnce(arrival.code, arrival.flowId);
  // Anybody may write a link with an error in it: it ends the session only as the answer to what this browser began.
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
    // Whoever is signed in here may be the one whose address has just been confirmed.
    if (error.name === 'AuthPKCECodeVerifierMissingError') await lookAgain();
    else reportError(error, { where: 'link' });
    // This browser's own attempt was refused: who was signed in before it is not either. Specification 1, section 8.
    if (error.code !== undefined && SPENT.has(error.code)) await endSession();
  } catch (error) {
    // Offline: the link cannot be used here now, which is what the answer says.
    reportError(error, { where: 'link' });
  }
  return { kind: 'elsewhere' };
}

async function lookAgain(): Promise<void> {
  if (hasStoredSession()) await (await supabase()).auth.refreshSession();
}

async function endSession(): Promise<void> {
  if (hasStoredSession()) await signOut();
}

function isProvidersRefusal({ pathname, search }: Entry, code: string): boolean {
  return pathname === CALLBACK && !isFromMail(search) && !SESSION_STAYS.has(code);
}

/** The same address without what a link brought; a fragment that names a section stays. */
export function withoutArrival({ search, hash }: Address): Address {
  const query = new URLSearchParams(search);
  for (const name of IN_SEARCH) query.delete(name);
  const fragment = new URLSearchParams(hash.slice(1));
  const isAnswer = IN_HASH.some((name) => fragment.has(name));
  return { search: query.size === 0 ? '' : `?${query}`, hash: isAnswer ? '' : hash };
}

/** From a history entry's state. */
export function linkAnswerOf(state: unknown): LinkAnswer | null {
  const { kind, code } = asObject(asObject(state).linkAnswer);
  if (kind === 'refused') return { kind, code: typeof code === 'string' ? code : '' };
  return kind === 'one-more' || kind === 'signed-in' || kind === 'elsewhere' ? { kind } : null;
}

/** @param state  of the history entry, kept but for what the answer is to */
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

/** As `hideArrival` left it in the history entry's state. */
function hiddenArrival(state: unknown): Arrival | null {
  const { kind, code, flowId } = asObject(asObject(state).arrival);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  if (kind === 'refused') return { kind, code: text(code) ?? '' };
  if (kind === 'proof') return { kind, code: text(code), flowId: text(flowId) };
  return kind === 'one-more' ? { kind } : null;
}

/** An object's properties; none of whatever is no object. */
function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
