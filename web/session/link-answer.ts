/**
 * What the link of a mail, or a provider, brought in the address: a code to exchange, a session, an error, a message.
 * The address is cleaned of it as soon as it is understood; the answer then lies in the history entry's state, where it
 * outlives a reload.
 */
import { supabase } from '../platform/supabase.ts';

export interface Address {
  search: string;
  hash: string;
}

export type LinkAnswer =
  /** `error_code` of the auth service; empty when it gave none. */
  | { kind: 'refused'; code: string }
  /** The first of two links of a change of address. */
  | { kind: 'one-more' }
  | { kind: 'signed-in' }
  /** The link was good, but this browser did not ask for it and holds nothing to exchange the code with. */
  | { kind: 'elsewhere' };

type Arrival = { kind: 'refused'; code: string } | { kind: 'one-more' } | { kind: 'proof' };

const IN_SEARCH = ['code', 'sb_flow_id', 'error', 'error_code', 'error_description'];
const IN_HASH = [
  ...['error', 'error_code', 'error_description', 'message', 'sb', 'type', 'token_type'],
  ...['access_token', 'refresh_token', 'expires_in', 'expires_at', 'provider_token', 'provider_refresh_token'],
];

/** Marks the way back of a confirmation mail: a refusal there is about the link, not about a provider. */
const FROM_MAIL = { name: 'from', value: 'mail' } as const;

/** Where the link of a confirmation mail leads. */
export function confirmationTarget(): string {
  const target = new URL('/auth/callback', window.location.origin);
  target.searchParams.set(FROM_MAIL.name, FROM_MAIL.value);
  return target.href;
}

export function isFromMail(search: string): boolean {
  return new URLSearchParams(search).get(FROM_MAIL.name) === FROM_MAIL.value;
}

/** True until the answer in the address is understood and taken out of it. */
export function isArriving(address: Address): boolean {
  return arrivalIn(address) !== null;
}

/**
 * Waits until the client library has read the address. Call it for an address that `isArriving`.
 * @returns never fails: what cannot be used here counts as meant for elsewhere
 */
export async function settleArrival(address: Address): Promise<LinkAnswer> {
  const arrival = arrivalIn(address);
  if (arrival !== null && arrival.kind !== 'proof') return arrival;
  try {
    const { auth } = await supabase();
    await auth.initialize();
    // The library takes the code out of the address when it could exchange it, and leaves it otherwise.
    if (!isArriving(window.location)) return { kind: 'signed-in' };
    // Whoever is signed in here may be the one whose address has just been confirmed.
    const { data } = await auth.getSession();
    if (data.session !== null) await auth.refreshSession();
  } catch {
    // Offline: the link cannot be used here now, which is what the answer says.
  }
  return { kind: 'elsewhere' };
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
  const answer: unknown =
    typeof state === 'object' && state !== null && 'linkAnswer' in state ? state.linkAnswer : null;
  if (typeof answer !== 'object' || answer === null || !('kind' in answer)) return null;
  if (answer.kind === 'refused') {
    return { kind: 'refused', code: 'code' in answer && typeof answer.code === 'string' ? answer.code : '' };
  }
  const { kind } = answer;
  return kind === 'one-more' || kind === 'signed-in' || kind === 'elsewhere' ? { kind } : null;
}

/** @param state  of the history entry, kept */
export function withLinkAnswer(state: unknown, linkAnswer: LinkAnswer): object {
  return { ...(typeof state === 'object' ? state : null), linkAnswer };
}

function arrivalIn({ search, hash }: Address): Arrival | null {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  const get = (name: string) => fragment.get(name) ?? query.get(name);
  if (get('error') !== null || get('error_code') !== null || get('error_description') !== null)
    return { kind: 'refused', code: get('error_code') ?? '' };
  if (query.get('code') !== null || fragment.get('access_token') !== null) return { kind: 'proof' };
  return fragment.get('message') === null ? null : { kind: 'one-more' };
}
