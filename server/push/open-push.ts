import type { Context, Hono } from 'hono';
import type { PushConfig } from '#domain/push/push-config.ts';
import type { Core } from '../core.ts';
import type { PushSettings } from '../platform/config/config-channels.ts';
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import { pushFunctions, pushRenewalRoutes } from './push-functions.ts';
import { openPushKeys } from './push-keys.ts';
import { startPushWorker } from './push-worker.ts';
import { webPushTransport } from './web-push-transport.ts';

/** The browsers' push services, or a sandbox at a base address without a trailing slash. */
export type PushSource = { kind: 'live' } | { kind: 'sandbox'; url: string };

export interface PushDeps extends Core {
  source: PushSource | null;
  settings: PushSettings;
  dataDir: string;
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
  const { source, settings, dataDir, addressOf, ...core } = deps;
  const sandboxUrl = source?.kind === 'sandbox' ? `${source.url}/push/` : null;
  const keys = source === null ? null : await openPushKeys(dataDir, settings.keys);
  const transport =
    keys === null ? null : webPushTransport({ keys, contact: settings.contact, sandboxUrl, clock: core.clock });
  const worker = await startPushWorker({ ...core, transport });
  return {
    config: source === null || keys === null ? null : { kind: source.kind, publicKey: keys.publicKey },
    functions: pushFunctions({ ...core, isPossible: source !== null, sandboxUrl }),
    routes: pushRenewalRoutes({ ...core, sandboxUrl, addressOf }),
    close: () => worker.close(),
  };
}
