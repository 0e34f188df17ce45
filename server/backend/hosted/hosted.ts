/**
 * A hosted project in place of the gateway: /auth/v1, /rest/v1 and /storage/v1 are forwarded to it, so browsers still
 * call one origin, ours. We share its database: the server's own parts read and write it directly.
 */
import { Hono } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import type { Config } from '../../platform/config/config.ts';
import { crossOrigin } from '../../platform/http/guards/cross-origin.ts';
import type { Bus } from '../../platform/processes/bus.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { MAX_AUTH_BODY_BYTES } from '../auth/auth-deps.ts';
import { liveSessions, sharedSessions } from '../auth/keys/live-sessions.ts';
import type { Backend } from '../backend.ts';
import { clientAddressBehind } from '../client-address.ts';
import { type RateLimits, rateLimits } from '../limits.ts';
import { MAX_BODY_BYTES } from '../rest/rest-request.ts';
import { hostedBudgets } from './budgets.ts';
import type { ForwardDeps } from './forward.ts';
import { authGateway, restGateway, storageGateway } from './gateways.ts';
import { FORWARDED_ROOTS } from './limits.ts';
import { hostedProviders } from './providers.ts';
import { type HostedTokens, hostedTokens } from './tokens.ts';

export interface HostedParts extends Pick<Core, 'database' | 'clock' | 'log'> {
  project: { url: string; anonKey: string };
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'> & Partial<Pick<Config, 'trustedProxies'>>;
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
