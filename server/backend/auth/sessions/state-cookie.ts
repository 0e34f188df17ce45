/**
 * Ties a sign-in through a provider to the browser that began it, where nothing else does: in the implicit flow
 * whoever follows the way back is signed in, so somebody could send a visitor the end of his own sign-in. With a code
 * challenge the verifier in the browser's storage does it, and linking begins with a call whose cookies a page of
 * another origin or a server would never keep.
 */
import type { Context } from 'hono';
import { generateCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';

const LIFE_S = 15 * 60;

/** One a flow, so that two tabs do not disturb each other. */
const nameOf = (state: string) => `kat-sign-in-${state.slice(0, 12)}`;

function optionsFor(origin: string, lifeS: number): CookieOptions {
  return {
    path: '/auth/v1/callback',
    httpOnly: true,
    // The provider sends the browser back by a link, which carries it.
    sameSite: 'Lax',
    secure: origin.startsWith('https:'),
    maxAge: lifeS,
  };
}

export function setStateCookie(c: Context, origin: string, state: string): void {
  setCookie(c, nameOf(state), state, optionsFor(origin, LIFE_S));
}

export function hasStateCookie(c: Context, state: string): boolean {
  return getCookie(c, nameOf(state)) === state;
}

/** The header that removes it. */
export function endedStateCookie(origin: string, state: string): string {
  return generateCookie(nameOf(state), '', optionsFor(origin, 0));
}
