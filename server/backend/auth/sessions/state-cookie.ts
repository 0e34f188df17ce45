/**
 * Ties a way to a provider and back to the browser that began it, where nothing else does: in the implicit flow whoever
 * follows the way back is signed in, so somebody could send a visitor the end of his own sign-in; and whoever came back
 * on another's link of an identity would give his own away. With a code challenge the verifier in the browser's storage
 * ties a sign-in.
 */
import type { Context } from 'hono';
import { generateCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';

const LIFE_S = 15 * 60;

/** One a flow, so that two tabs do not disturb each other. */
const nameOf = (state: string) => `kat-sign-in-${state.slice(0, 12)}`;

/** Where the way back ends: a provider sends the browser by a link, an organisation by a form of its own page. */
export type WayBack = '/auth/v1/callback' | '/auth/v1/sso/saml/acs';

function optionsFor(origin: string, path: WayBack, lifeS: number): CookieOptions {
  const isSecure = origin.startsWith('https:');
  return {
    path,
    httpOnly: true,
    // A form of another site carries only cookies that say None, which browsers keep over https alone.
    sameSite: isSecure && path === '/auth/v1/sso/saml/acs' ? 'None' : 'Lax',
    secure: isSecure,
    // Nobody who has only plain http, or another site below the domain, can put one there.
    ...(isSecure ? { prefix: 'secure' as const } : {}),
    maxAge: lifeS,
  };
}

export function setStateCookie(c: Context, origin: string, path: WayBack, state: string): void {
  setCookie(c, nameOf(state), state, optionsFor(origin, path, LIFE_S));
}

export function hasStateCookie(c: Context, origin: string, state: string): boolean {
  return getCookie(c, nameOf(state), origin.startsWith('https:') ? 'secure' : undefined) === state;
}

/** The header that removes it. */
export function endedStateCookie(origin: string, path: WayBack, state: string): string {
  return generateCookie(nameOf(state), '', optionsFor(origin, path, 0));
}
