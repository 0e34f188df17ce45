/**
 * Our limits in front of a hosted project. It sees one address, ours, so its own limits per address protect no one.
 * Limits per account are left to the project, because only it knows whether a password was right.
 */
import type { Context } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { RateLimiter } from '../../platform/http/guards/rate-limit.ts';
import type { RateLimits } from '../limits.ts';

/** @param call method and path, from callOf. @returns null for a call without a specific limit */
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

/** Method and path as the project receives them. @throws AppError `request/not-found` */
export function callOf(c: Context): string {
  return `${c.req.method} ${projectPath(new URL(c.req.url).pathname)}`;
}

export const FORWARDED_ROOTS = ['/auth/v1', '/rest/v1', '/storage/v1'] as const;

/** A stored file's name may contain a percent sign; elsewhere it could only be a doubly encoded character. */
const MAY_HOLD_PERCENT = '/storage/v1';

/**
 * @returns decoded, with slashes only between its parts, none of them empty
 * @throws AppError `request/not-found` for a path outside the forwarded roots, and for an ambiguous one
 */
export function projectPath(path: string): string {
  const root = FORWARDED_ROOTS.find((one) => path.startsWith(`${one}/`));
  if (root === undefined) throw new AppError('request/not-found');
  const parts = path
    .slice(root.length + 1)
    .split('/')
    .map(decode);
  if (!parts.every((part) => isPlain(part, root === MAY_HOLD_PERCENT))) throw new AppError('request/not-found');
  return `${root}/${parts.join('/')}`;
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** @returns '' for invalid UTF-8, which no path of the protocol contains */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function isPlain(part: string, mayHoldPercent: boolean): boolean {
  if (part === '' || part === '.' || part === '..') return false;
  return !/[/\\\0]/.test(part) && (mayHoldPercent || !part.includes('%'));
}
