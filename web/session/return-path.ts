/** Never leads off this site. */

export interface ReturnState {
  /** Path, query and hash of the page that required sign-in. */
  from: string;
}

export const AFTER_SIGN_IN = '/dashboard';

/** Pages for visitors only: returning to one would redirect again. */
const GUEST_PREFIX = '/auth/';

/**
 * @param value   an untrusted address
 * @returns path, query and hash if the address is a path of this site, else null
 */
export function safePath(value: unknown, origin: string): string | null {
  if (typeof value !== 'string' || !value.startsWith('/')) return null;
  const url = parse(value, origin);
  if (url === null || url.origin !== origin) return null;
  const path = url.pathname + url.search + url.hash;
  // '/.//evil.example' is a path of ours that normalises to one that names another host.
  if (path.startsWith('//') || path.startsWith('/\\') || url.pathname.startsWith(GUEST_PREFIX)) return null;
  return path;
}

/** The page that the parameter `next` names; null without one that is ours. */
export function nextPath(search: string, origin: string): string | null {
  return safePath(new URLSearchParams(search).get('next'), origin);
}

/** The parameter `next` wins over the remembered page: it is newer and visible. */
export function returnPath(search: string, state: unknown, origin: string): string {
  return nextPath(search, origin) ?? safePath(rememberedPath(state), origin) ?? AFTER_SIGN_IN;
}

function rememberedPath(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
}

function parse(value: string, origin: string): URL | null {
  try {
    return new URL(value, origin);
  } catch {
    return null;
  }
}
