/** Calls of the protocol that this server does not answer yet say so; none pretends to have worked. */
import type { Hono } from 'hono';
import { AuthError } from './auth-error.ts';

export function notAvailable(): AuthError {
  return new AuthError(501, 'not_available', 'This is not available yet');
}

const ROUTES = [
  ['POST', '/otp'],
  ['POST', '/verify'],
  ['GET', '/verify'],
  ['POST', '/recover'],
  ['POST', '/resend'],
  ['GET', '/reauthenticate'],
  ['GET', '/authorize'],
  ['GET', '/callback'],
  ['GET', '/user/identities/authorize'],
  ['DELETE', '/user/identities/:id'],
  ['POST', '/factors'],
  ['POST', '/factors/:id/challenge'],
  ['POST', '/factors/:id/verify'],
  ['DELETE', '/factors/:id'],
  ['POST', '/sso'],
] as const;

export function mountNotAvailable(app: Hono): void {
  for (const [method, path] of ROUTES)
    app.on(method, path, () => {
      throw notAvailable();
    });
}
