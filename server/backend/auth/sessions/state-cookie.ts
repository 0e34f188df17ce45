/**
 * Ties a provider's callback to the browser that started, where nothing else does. In the implicit flow, opening the
 * callback signs in, so an attacker could send a visitor the callback of the attacker's own sign-in. A visitor who
 * completed another user's identity link would give that user their identity. With a code challenge, the verifier in
 * the browser's storage ties a sign-in.
 */
import type { Context } from 'hono';
import { generateCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';

const LIFE_S = 15 * 60;

/** One per flow, so that two tabs don't interfere. */
const nameOf = (state: string) => `kat-sign-in-${state.slice(0, 12)}`;

/** The callback's path: a provider redirects the browser, an organisation's page posts a form. */
export type CallbackPath = '/auth/v1/callback' | '/auth/v1/sso/saml/acs';

function optionsFor(origin: string, path: CallbackPath, lifeS: number): CookieOptions {
  const isSecure = origin.startsWith('https:');
  return {
    path,
    httpOnly: true,
    // A form of another site only sends cookies with SameSite=None, which browsers accept only over https.
    sameSite: isSecure && path === '/auth/v1/sso/saml/acs' ? 'None' : 'Lax',
    secure: isSecure,
    // With the prefix, neither plain http nor another site of the domain can set one.
    ...(isSecure ? { prefix: 'secure' as const } : {}),
    maxAge: lifeS,
  };
}

export function setStateCookie(c: Context, origin: string, path: CallbackPath, state: string): void {
  setCookie(c, nameOf(state), state, optionsFor(origin, path, LIFE_S));
}

export function hasStateCookie(c: Context, origin: string, state: string): boolean {
  return getCookie(c, nameOf(state), origin.startsWith('https:') ? 'secure' : undefined) === state;
}

export function endedStateCookie(origin: string, path: CallbackPath, state: string): string {
  return generateCookie(nameOf(state), '', optionsFor(origin, path, 0));
}
