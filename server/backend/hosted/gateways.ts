/** Forwards calls to the project, and refuses them in the form of the protocol that was called. */
import { type Context, Hono } from 'hono';
import { type AppError, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { statusOf } from '../../platform/http/calls/http-errors.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { AuthError, authErrorResponse, toAuthError } from '../auth/auth-error.ts';
import type { LiveSessions } from '../auth/keys/live-sessions.ts';
import type { RateLimits } from '../limits.ts';
import { RestError, toRestError } from '../rest/rest-error.ts';
import { refusalResponse, toStorageRefusal } from '../storage/storage-refusal.ts';
import type { HostedBudgets } from './budgets.ts';
import { type ForwardDeps, type ForwardLimits, forward } from './forward.ts';
import { authLimit, callOf } from './limits.ts';

export function authGateway(
  deps: ForwardDeps,
  bounds: ForwardLimits,
  limits: RateLimits,
  sessions: LiveSessions,
  log: Logger,
): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    logFault(error, c, log);
    return authErrorResponse(toAuthError(error) ?? authRefusal(error));
  });
  app.all('*', async (c) => {
    const call = callOf(c);
    await authLimit(call, new URL(c.req.url).searchParams, limits)?.consume(deps.addressOf(c));
    const answer = await forward(c, deps, bounds);
    // An ended session must not stay cached as live, nor a new second factor as missing.
    if (answer.ok && (ENDS_SESSIONS.has(call) || CHANGES_FACTORS.test(call))) sessions.forgetAll();
    return answer;
  });
  return app;
}

const ENDS_SESSIONS = new Set(['POST /auth/v1/logout', 'PUT /auth/v1/user']);

/** Matches a verified code, or a removed factor. */
const CHANGES_FACTORS = /^(POST \/auth\/v1\/factors\/[^/]+\/verify|DELETE \/auth\/v1\/factors\/[^/]+)$/;

function authRefusal(error: unknown): AuthError {
  if (!isAppError(error)) return new AuthError(500, 'unexpected_failure', MESSAGES.internal);
  const code = error.code === 'request/not-found' ? 'not_found' : 'unexpected_failure';
  return new AuthError(statusOf(error), code, MESSAGES[error.code]);
}

export function restGateway(deps: ForwardDeps, bounds: ForwardLimits, budgets: HostedBudgets, log: Logger): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    logFault(error, c, log);
    const refusal = toRestError(error, true) ?? restRefusal(error);
    return Response.json(refusal.body, { status: refusal.status, headers: refusal.headers });
  });
  app.all('*', async (c) => {
    // Refuses the bare root, which would describe the schema to anyone.
    const report = await budgets.admitReport(c, bounds.maxBodyBytes);
    return forward(c, deps, bounds, report);
  });
  return app;
}

function restRefusal(error: unknown): RestError {
  if (!isAppError(error)) return new RestError(500, 'XX000', MESSAGES.internal);
  if (error.code === 'request/not-found')
    return new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
  return new RestError(statusOf(error), 'PGRST117', MESSAGES[error.code]);
}

export function storageGateway(deps: ForwardDeps, bounds: ForwardLimits, budgets: HostedBudgets, log: Logger): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    logFault(error, c, log);
    if (isAppError(error) && error.code === 'request/too-many') return tooManyUploads(error);
    const code = isAppError(error) ? error.code : 'internal';
    const status = isAppError(error) ? statusOf(error) : 500;
    const body = { statusCode: String(status), error: STORAGE_ERRORS[status] ?? 'Error', message: MESSAGES[code] };
    return Response.json(body, { status, headers: status === 503 ? { 'retry-after': '1' } : {} });
  });
  app.all('*', async (c) => {
    await budgets.admitUpload(c, bounds.maxBodyBytes);
    return asHarmlessFile(await forward(c, deps, bounds));
  });
  return app;
}

function tooManyUploads(error: AppError): Response {
  const refusal = toStorageRefusal(error);
  if (refusal === null) throw error;
  return refusalResponse(refusal);
}

const STORAGE_ERRORS: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'MethodNotAllowed',
  413: 'Payload too large',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

const HARMLESS = /^(image\/(png|jpe?g|gif|webp|avif)|application\/(json|octet-stream))\b/i;

/** Files are served under our origin: none of them may become a page or script of ours. */
function asHarmlessFile(answer: Response): Response {
  const type = answer.headers.get('content-type');
  if (type === null || HARMLESS.test(type)) return answer;
  answer.headers.set('content-type', 'application/octet-stream');
  answer.headers.set('content-disposition', 'attachment');
  return answer;
}

function logFault(error: unknown, c: Context, log: Logger): void {
  const hasLeft = c.req.raw.signal.aborted;
  if (hasLeft || isCallersFault(error)) return;
  log.error({ err: error, path: c.req.path, method: c.req.method }, 'a request to the hosted project failed');
}

/** Anyone may cause these, so they don't belong in the operator's log of errors. */
function isCallersFault(error: unknown): boolean {
  if (isAppError(error)) return statusOf(error) < 500;
  return (error instanceof RestError || error instanceof AuthError) && error.status < 500;
}
