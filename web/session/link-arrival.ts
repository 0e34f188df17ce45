/**
 * What a mail's link or a provider put into the URL leaves it before anything else runs; the answer is stored in the
 * history entry's state, where it survives a reload.
 */
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
export type LinkArrival =
  | { kind: 'refused'; code: string }
  | { kind: 'one-more' }
  | { kind: 'proof'; code: string | null; flowId: string | null };

const FLOW_ID = 'sb_flow_id';
const IN_SEARCH = ['code', FLOW_ID, 'error', 'error_code', 'error_description'];
const IN_HASH = [
  ...['error', 'error_code', 'error_description', 'message', 'sb', 'type', 'token_type'],
  ...['access_token', 'refresh_token', 'expires_in', 'expires_at', 'provider_token', 'provider_refresh_token'],
];

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

export function arrivalOf({ search, hash, state }: Address & { state?: unknown }): LinkArrival | null {
  return arrivalIn({ search, hash }) ?? hiddenArrival(state);
}

function arrivalIn({ search, hash }: Address): LinkArrival | null {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  const get = (name: string) => fragment.get(name) ?? query.get(name);
  if (get('error') !== null || get('error_code') !== null || get('error_description') !== null)
    return { kind: 'refused', code: get('error_code') ?? '' };
  if (query.get('code') !== null || fragment.get('access_token') !== null)
    return { kind: 'proof', code: query.get('code'), flowId: query.get(FLOW_ID) };
  return fragment.get('message') === null ? null : { kind: 'one-more' };
}

function hiddenArrival(state: unknown): LinkArrival | null {
  const { kind, code, flowId } = asObject(asObject(state).arrival);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  if (kind === 'refused') return { kind, code: text(code) ?? '' };
  if (kind === 'proof') return { kind, code: text(code), flowId: text(flowId) };
  return kind === 'one-more' ? { kind } : null;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
