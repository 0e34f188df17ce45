/**
 * Our limits in front of a hosted project. It sees one address, ours, so its own limits per address protect no one.
 * Limits per account are left to the project, because only it knows whether a password was right.
 */
import type { Context } from 'hono';
import type { RateLimiter } from '../platform/http/guards/rate-limit.ts';
import { projectPath } from './hosted-path.ts';
import type { RateLimits } from './limits.ts';

/**
 * @param call  method and path, from callOf
 * @returns null for a call without a specific limit
 */
export function authLimit(call: string, query: URLSearchParams, limits: RateLimits): RateLimiter | null {
  if (/^POST \/auth\/v1\/factors\/[^/]+\/verify$/.test(call)) return limits.verifyPerAddress;
  switch (call) {
    case 'POST /auth/v1/signup':
      return limits.signUpPerAddress;
    case 'POST /auth/v1/token':
      return tokenLimit(query.getAll('grant_type'), limits);
    case 'POST /auth/v1/verify':
    case 'GET /auth/v1/verify':
      return limits.verifyPerAddress;
    case 'POST /auth/v1/otp':
    case 'POST /auth/v1/magiclink':
    case 'POST /auth/v1/recover':
    case 'POST /auth/v1/resend':
    case 'GET /auth/v1/reauthenticate':
      return limits.mailPerAddress;
    case 'GET /auth/v1/authorize':
    case 'GET /auth/v1/callback':
    case 'POST /auth/v1/callback':
    case 'GET /auth/v1/user/identities/authorize':
    case 'POST /auth/v1/sso':
      return limits.authorizePerAddress;
    default:
      return null;
  }
}

/** With several values the project may pick another one than we do, so they count as the strictest. */
function tokenLimit(grantTypes: readonly string[], limits: RateLimits): RateLimiter {
  const grantType = grantTypes.length === 1 ? grantTypes[0] : undefined;
  if (grantType === 'refresh_token') return limits.refreshPerAddress;
  return grantType === 'pkce' ? limits.verifyPerAddress : limits.signInPerAddress;
}

/**
 * Method and path as the project receives them.
 * @throws AppError `request/not-found`
 */
export function callOf(c: Context): string {
  return `${c.req.method} ${projectPath(new URL(c.req.url).pathname)}`;
}
