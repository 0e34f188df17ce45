/**
 * Which of our limits stand before a hosted project. It sees one address, ours, so its own limits per address protect
 * nobody; those per account are the project's business, since only it knows whether a password was right.
 */
import type { Context } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import { bearerOf, type TokenVerifier } from '../platform/http/caller.ts';
import type { RateLimiter } from '../platform/http/rate-limit.ts';
import { readText } from '../platform/http/request-body.ts';
import { projectPath } from './hosted-path.ts';
import type { RateLimits } from './limits.ts';
import { REPORT_TABLES } from './report-tables.ts';

/**
 * @param call  method and path, as callOf tells it
 * @returns null for a call that has no limit of its own
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

/** Of several the project may take another one than we: they count as the strictest. */
function tokenLimit(grantTypes: readonly string[], limits: RateLimits): RateLimiter {
  const grantType = grantTypes.length === 1 ? grantTypes[0] : undefined;
  if (grantType === 'refresh_token') return limits.refreshPerAddress;
  return grantType === 'pkce' ? limits.verifyPerAddress : limits.signInPerAddress;
}

/** @param call  as callOf tells it */
export function isReport(call: string): boolean {
  return REPORT_CALLS.has(call);
}

const REPORT_CALLS = new Set(REPORT_TABLES.map((table) => `POST /rest/v1/${table}`));

/**
 * Method and path as the project receives them.
 * @throws AppError `request/not-found`
 */
export function callOf(c: Context): string {
  return `${c.req.method} ${projectPath(new URL(c.req.url).pathname)}`;
}

/**
 * Counts a report's rows, of a user or of an address.
 * @returns the body, which is read by now
 * @throws AppError `request/too-many`, `request/too-large`, `request/invalid`
 */
export async function countReport(
  c: Context,
  deps: { limits: RateLimits; verifier: TokenVerifier; addressOf(c: Context): string; maxBodyBytes: number },
): Promise<string> {
  const text = await readText(c.req.raw, deps.maxBodyBytes);
  const rows = rowsIn(text);
  const userId = await userOf(c, deps.verifier);
  if (userId === null) await deps.limits.reportRowsPerAddress.consume(deps.addressOf(c), rows);
  else await deps.limits.reportRowsPerUser.consume(userId, rows);
  return text;
}

/** As many as lines where it is no JSON: the project takes tables of text too. */
function rowsIn(text: string): number {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? Math.max(1, parsed.length) : 1;
  } catch {
    return text.split('\n').length;
  }
}

async function userOf(c: Context, verifier: TokenVerifier): Promise<string | null> {
  const token = bearerOf(c.req.raw);
  if (token === null) return null;
  try {
    const { sub } = await verifier.verify(token);
    return typeof sub === 'string' ? sub : null;
  } catch (error) {
    // Nobody we know: counted by address, and refused by the project.
    if (isAppError(error)) return null;
    throw error;
  }
}
