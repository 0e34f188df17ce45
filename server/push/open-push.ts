import type { Context, Hono } from 'hono';
import type { PushConfig } from '#domain/push/push-config.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { PushSettings } from '../platform/config/config-channels.ts';
import type { Database } from '../platform/database/database.ts';
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import type { RateLimiterOf } from '../platform/http/guards/rate-limit.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { pushFunctions, pushRenewalRoutes } from './push-functions.ts';
import { openPushKeys } from './push-keys.ts';
import { startPushWorker } from './push-worker.ts';
import { webPushTransport } from './web-push-transport.ts';

/** The browsers' push services, or a sandbox at a base address without a trailing slash. */
export type PushSource = { kind: 'live' } | { kind: 'sandbox'; url: string };

export interface PushDeps {
  source: PushSource | null;
  settings: PushSettings;
  dataDir: string;
  database: Database;
  clock: Clock;
  log: Logger;
  limiterOf: RateLimiterOf;
  /** The key of one client for rate limits. */
  addressOf(c: Context): string;
}

export interface Push {
  config: PushConfig;
  functions: readonly ServerFunction[];
  routes: Hono;
  close(): Promise<void>;
}

/** @throws PushKeysUnusable */
export async function openPush(deps: PushDeps): Promise<Push> {
  const { source, settings, dataDir, database, clock, log, limiterOf, addressOf } = deps;
  const sandboxUrl = source?.kind === 'sandbox' ? `${source.url}/push/` : null;
  const keys = source === null ? null : await openPushKeys(dataDir, settings.keys);
  const transport = keys === null ? null : webPushTransport({ keys, contact: settings.contact, sandboxUrl, clock });
  const worker = await startPushWorker({ database, clock, log, transport });
  return {
    config: source === null || keys === null ? null : { kind: source.kind, publicKey: keys.publicKey },
    functions: pushFunctions({ database, clock, isPossible: source !== null, sandboxUrl, limiterOf }),
    routes: pushRenewalRoutes({ database, sandboxUrl, limiterOf, addressOf }),
    close: () => worker.close(),
  };
}
