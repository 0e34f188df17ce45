/**
 * Which of our limits stand before a hosted project. It sees one address, ours, so its own limits per address protect
 * nobody; those per account are the project's business, since only it knows whether a password was right.
 */
import type { Context } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import { bearerOf, type TokenVerifier } from '../platform/caller.ts';
import type { RateLimiter } from '../platform/rate-limit.ts';
import { readText } from '../platform/request-body.ts';
import type { RateLimits } from './limits.ts';

/** @returns null for a call that has no limit of its own */
export function authLimit(c: Context, limits: RateLimits): RateLimiter | null {
  const call = `${c.req.method} ${c.req.path.slice('/auth/v1'.length)}`;
  if (/^POST \/factors\/[^/]+\/verify$/.test(call)) return limits.verifyPerAddress;
  switch (call) {
    case 'POST /signup':
      return limits.signUpPerAddress;
    case 'POST /token':
      return tokenLimit(c.req.query('grant_type'), limits);
    case 'POST /verify':
    case 'GET /verify':
      return limits.verifyPerAddress;
    case 'POST /otp':
    case 'POST /magiclink':
    case 'POST /recover':
    case 'POST /resend':
    case 'GET /reauthenticate':
      return limits.mailPerAddress;
    case 'GET /authorize':
    case 'GET /callback':
    case 'POST /callback':
    case 'GET /user/identities/authorize':
    case 'POST /sso':
      return limits.authorizePerAddress;
    default:
      return null;
  }
}

function tokenLimit(grantType: string | undefined, limits: RateLimits): RateLimiter {
  if (grantType === 'refresh_token') return limits.refreshPerAddress;
  return grantType === 'pkce' ? limits.verifyPerAddress : limits.signInPerAddress;
}

/** Tables that pages report into: anybody may report, nobody may fill them. */
const REPORTS = new Set(['/rest/v1/error_logs', '/rest/v1/user_activity']);

export function isReport(c: Context): boolean {
  return c.req.method === 'POST' && REPORTS.has(decoded(c.req.path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not even UTF-8: it is refused further on.
    return path;
  }
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
