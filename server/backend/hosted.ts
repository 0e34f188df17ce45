/**
 * A hosted project in place of the gateway: /auth/v1, /rest/v1 and /storage/v1 are forwarded to it, so browsers still
 * call one origin, ours. We share its database: the server's own parts read and write it directly.
 */
import { type Context, Hono } from 'hono';
import { type AppError, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { statusOf } from '../platform/http/calls/http-errors.ts';
import { crossOrigin } from '../platform/http/guards/cross-origin.ts';
import type { Bus } from '../platform/processes/bus.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { MAX_AUTH_BODY_BYTES } from './auth/auth-deps.ts';
import { AuthError, authErrorResponse, toAuthError } from './auth/auth-error.ts';
import { type LiveSessions, liveSessions, sharedSessions } from './auth/keys/live-sessions.ts';
import type { Backend } from './backend.ts';
import { clientAddressBehind } from './client-address.ts';
import { type HostedBudgets, hostedBudgets } from './hosted-budgets.ts';
import { type ForwardDeps, type ForwardLimits, forward } from './hosted-forward.ts';
import { authLimit, callOf, FORWARDED_ROOTS } from './hosted-limits.ts';
import { hostedProviders } from './hosted-providers.ts';
import { type HostedTokens, hostedTokens } from './hosted-tokens.ts';
import { type RateLimits, rateLimits } from './limits.ts';
import { RestError, toRestError } from './rest/rest-error.ts';
import { MAX_BODY_BYTES } from './rest/rest-request.ts';
import { refusalResponse, toStorageRefusal } from './storage/storage-refusal.ts';

export interface HostedParts {
  project: { url: string; anonKey: string };
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'> & Partial<Pick<Config, 'trustedProxies'>>;
  clock: Clock;
  log: Logger;
  database: Database;
  bus?: Bus | undefined;
  limits?: RateLimits | undefined;
  /** Until the project starts to respond. */
  timeoutMs?: number;
}

export class ProjectRefused extends Error {
  override readonly name = 'ProjectRefused';
}

const TIMEOUT_MS = 30_000;
/** A picture of five megabytes and the form around it. */
const MAX_STORAGE_BODY_BYTES = 6 * 1024 * 1024;

/** Starts even if the project is unavailable (503 until it responds). @throws ProjectRefused for its algorithm */
export async function openHostedBackend(parts: HostedParts): Promise<Backend> {
  const { project, config, database, clock, log } = parts;
  const sessions = sharedSessions(liveSessions(database, clock), parts.bus);
  const verifier = hostedTokens({ ...project, sessions });
  await requireKeys(verifier, log);
  const deps: ForwardDeps = {
    projectUrl: project.url,
    originOf: (c) => config.publicUrl ?? new URL(c.req.url).origin,
    addressOf: clientAddressBehind(config.trustedProxies ?? 0),
  };
  const limits = parts.limits ?? rateLimits();
  const timeoutMs = parts.timeoutMs ?? TIMEOUT_MS;
  const own = config.publicUrl === null ? [] : [config.publicUrl];
  const routes = new Hono();
  const cors = crossOrigin([...own, ...config.allowedOrigins]);
  for (const root of FORWARDED_ROOTS) routes.use(`${root}/*`, cors);
  routes.route('/auth/v1', authGateway(deps, { maxBodyBytes: MAX_AUTH_BODY_BYTES, timeoutMs }, limits, sessions, log));
  const budgets = hostedBudgets({ limits, verifier, database, addressOf: deps.addressOf });
  routes.route('/rest/v1', restGateway(deps, { maxBodyBytes: MAX_BODY_BYTES, timeoutMs }, budgets, log));
  routes.route('/storage/v1', storageGateway(deps, { maxBodyBytes: MAX_STORAGE_BODY_BYTES, timeoutMs }, budgets, log));
  const providerKinds = hostedProviders(project, log);
  // Fetched before the first page needs them, if the project responds.
  void providerKinds();
  return {
    routes,
    verifier,
    anonKey: project.anonKey,
    providerKinds,
    readiness: [{ name: 'project', isReady: remember(async () => (await verifier.loadKeys()) > 0) }],
    close: async () => undefined,
  };
}

const READY_REMEMBERED_MS = 5000;

/** Anyone may call the readiness check; caching keeps that from becoming as many calls to the project. */
function remember(isReady: () => Promise<boolean>): () => Promise<boolean> {
  let lastCheck: { answer: Promise<boolean>; untilMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (lastCheck === null || lastCheck.untilMs <= nowMs)
      lastCheck = { answer: isReady(), untilMs: nowMs + READY_REMEMBERED_MS };
    return lastCheck.answer;
  };
}

async function requireKeys(verifier: HostedTokens, log: Logger): Promise<void> {
  try {
    if ((await verifier.loadKeys()) > 0) return;
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ err: error }, 'the hosted project cannot be reached');
    return;
  }
  throw new ProjectRefused(
    'The project at SUPABASE_URL publishes no signing key: it still signs with its shared secret. Switch it to asymmetric keys (ES256 or RS256).',
  );
}

function authGateway(
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

function restGateway(deps: ForwardDeps, bounds: ForwardLimits, budgets: HostedBudgets, log: Logger): Hono {
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

function storageGateway(deps: ForwardDeps, bounds: ForwardLimits, budgets: HostedBudgets, log: Logger): Hono {
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
  if (hasLeft || (isAppError(error) && statusOf(error) < 500)) return;
  log.error({ err: error, path: c.req.path, method: c.req.method }, 'a request to the hosted project failed');
}
