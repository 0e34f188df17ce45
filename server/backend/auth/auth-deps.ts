import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Core } from '../../core.ts';
import { bearerOf } from '../../platform/http/calls/caller.ts';
import { isPlainObject, parseJson, readText } from '../../platform/http/calls/request-body.ts';
import type { RateLimits } from '../limits.ts';
import { AuthError, toAuthError, validationFailed } from './auth-error.ts';
import type { CaptchaCheck } from './captcha.ts';
import type { SamlProviders } from './extensions/organisations/saml-providers.ts';
import type { SigningKeys } from './keys/keys.ts';
import type { SessionVerifier } from './keys/token-verifier.ts';
import type { PasswordRequester, Passwords } from './passwords/passwords.ts';
import type { OAuthProviders } from './providers/oauth-provider.ts';
import type { RedirectRule } from './redirects.ts';

export interface AuthDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  keys: SigningKeys;
  verifier: SessionVerifier;
  limits: RateLimits;
  passwords: Passwords;
  settings: AccountSettings;
  redirects: RedirectRule;
  /** Null if no captcha is required. */
  captcha: CaptchaCheck | null;
  providers: OAuthProviders;
  saml: SamlProviders | null;
  /** Our own origin as this request's browser knows it. */
  originOf(c: Context): string;
  clientAddress(c: Context): string;
}

export interface AccountSettings {
  /** True: signing up gives no session until the address is confirmed. */
  isConfirmationRequired: boolean;
}

export const MAX_AUTH_BODY_BYTES = 64 * 1024;
/** Every access token contains the metadata, and headers are small. */
const MAX_METADATA_BYTES = 3000;

/** The client that waits for a hash: if it disconnects, its password isn't hashed. */
export function requesterOf(c: Context, deps: Pick<AuthDeps, 'clientAddress'>): PasswordRequester {
  return { address: deps.clientAddress(c), signal: c.req.raw.signal };
}

export interface SignedIn {
  userId: string;
  sessionId: string;
  aal: 'aal1' | 'aal2';
}

/**
 * @throws AuthError 401 no_authorization, 403 bad_jwt, session_not_found, user_banned
 * @throws AppError `auth/bad-token`, `auth/session-ended`
 */
export async function requireSession(c: Context, deps: AuthDeps): Promise<SignedIn> {
  const token = bearerOf(c.req.raw);
  if (token === null) throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const claims = await deps.verifier.verify(token);
  const { sub, session_id: sessionId } = claims;
  if (claims.role !== 'authenticated' || typeof sub !== 'string' || typeof sessionId !== 'string')
    throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
  const state = await deps.verifier.sessionState(sessionId);
  if (state === 'banned') throw new AuthError(403, 'user_banned', 'User is banned');
  if (state === 'ended')
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  return { userId: sub, sessionId, aal: claims.aal === 'aal2' ? 'aal2' : 'aal1' };
}

/** The user id of the request's live session; null without a valid one, for whatever reason. */
export async function liveCallerId(c: Context, deps: AuthDeps): Promise<string | null> {
  try {
    return (await requireSession(c, deps)).userId;
  } catch (error) {
    const known = toAuthError(error);
    if (known === null || known.status >= 500) throw error;
    return null;
  }
}

/** @throws AppError `request/too-large`, `request/invalid`; AuthError 400 validation_failed */
export async function readObject(c: Context): Promise<Record<string, unknown>> {
  const body = parseJson(await readText(c.req.raw, MAX_AUTH_BODY_BYTES));
  if (!isPlainObject(body)) throw validationFailed('The request body must be a JSON object');
  return body;
}

export function textField(body: Record<string, unknown>, name: string): string | null {
  const value = Object.hasOwn(body, name) ? body[name] : null;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw validationFailed(`${name} must be a string`);
  return value;
}

export function booleanField(body: Record<string, unknown>, name: string): boolean | null {
  const value = Object.hasOwn(body, name) ? body[name] : null;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'boolean') throw validationFailed(`${name} must be true or false`);
  return value;
}

export function metadataField(body: Record<string, unknown>): Record<string, unknown> | null {
  const value = Object.hasOwn(body, 'data') ? body.data : null;
  if (value === undefined || value === null) return null;
  if (!isPlainObject(value)) throw validationFailed('data must be an object');
  requireSmallMetadata(value);
  return value;
}

export function requireSmallMetadata(metadata: Readonly<Record<string, unknown>>): void {
  if (!isSmallMetadata(metadata)) throw validationFailed(`data must not be larger than ${MAX_METADATA_BYTES} bytes`);
}

export function isSmallMetadata(metadata: Readonly<Record<string, unknown>>): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES;
  } catch {
    // Nested too deeply for the stack: treated as too large.
    return false;
  }
}

/** Checked before lowercasing, which turns the Kelvin sign into a k and could produce another user's address. */
const ASCII = /^[\x21-\x7e]+$/;
const emailSchema = z.string().check(z.trim(), z.maxLength(255), z.regex(ASCII), z.toLowerCase(), z.email());

/** Trimmed and in lower case; null for an invalid or non-ASCII address. */
export function normalEmail(text: string): string | null {
  const parsed = emailSchema.safeParse(text);
  return parsed.success ? parsed.data : null;
}

export function phoneDisabled(): AuthError {
  return new AuthError(400, 'phone_provider_disabled', 'Phone sign-in is not available');
}

export function nowIso(deps: Pick<AuthDeps, 'clock'>): string {
  return new Date(deps.clock.nowMs()).toISOString();
}
