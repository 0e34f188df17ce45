/** Second factors: an authenticator app is enrolled, challenged, verified, removed. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';
import type { SessionAnswer } from './sessions.ts';

export async function enrollFactor(_c: Context, _deps: AuthDeps): Promise<Record<string, unknown>> {
  throw notAvailable();
}

export async function challengeFactor(_c: Context, _deps: AuthDeps): Promise<Record<string, unknown>> {
  throw notAvailable();
}

export async function verifyFactor(_c: Context, _deps: AuthDeps): Promise<SessionAnswer> {
  throw notAvailable();
}

export async function unenrollFactor(_c: Context, _deps: AuthDeps): Promise<{ id: string }> {
  throw notAvailable();
}
