/** Everything that app.ts mounts, in this process, as `npm start` composes it: sandboxes, one origin. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCommunitySandbox } from '../../../sandbox/community/community-sandbox.ts';
import { sandboxCommunity } from '../../../sandbox/community/sandbox-community.ts';
import { startIdentitySandbox } from '../../../sandbox/identity/identity-sandbox.ts';
import { startSandboxMailbox } from '../../../sandbox/mailbox/sandbox-mailbox.ts';
import { startSandboxMarket } from '../../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../../sandbox/market/sandbox-source.ts';
import { openPayments } from '../../../scripts/start/payments-source.ts';
import { DEFAULT_LIMITS, type RateLimits, rateLimits } from '../../../server/backend/limits.ts';
import { type RunningServer, startServer } from '../../../server/main.ts';
import type { AddressOverrides } from '../../../server/platform/config/addresses.ts';
import { readConfig } from '../../../server/platform/config/config.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { type ProductClock, productClock } from '../../../server/platform/product-clock.ts';
import { testLog } from '../database/database.ts';
import { NO_COMMUNITY } from './no-community.ts';

export interface WholeServer {
  url: string;
  dataDir: string;
  /** Leaves the database open. */
  close(): Promise<void>;
}

/** Limits too high to matter: for tests that are about something else. */
export function noLimits(): RateLimits {
  return rateLimits(unlimited());
}

/** For tests of some of the limits. */
export function unlimited(): Parameters<typeof rateLimits>[0] {
  const names = Object.keys(DEFAULT_LIMITS);
  return Object.fromEntries(names.map((name) => [name, { points: 1_000_000, perS: 1 }]));
}

export const SHIPPED_MODELS = resolve(import.meta.dirname, '../../../models');

/** bcrypt's minimum. At the product's cost, hashing takes most of a simple test's time. */
const passwordCost = 4;

export interface WholeServerOptions {
  /** Settings besides the address, the folder and the market, which the test sets. */
  env?: Readonly<Record<string, string>>;
  /** Of outside services, besides the market's and the community's. */
  addresses?: AddressOverrides;
  limits?: RateLimits;
  log?: typeof testLog;
  /** Default: no models. Opening the shipped ones takes a second of CPU. */
  modelsDir?: string;
  /** Default: a new clock. */
  clock?: ProductClock;
  /** News and counters too: generating their pictures takes half as long as the rest of a start. Default: false. */
  hasCommunity?: boolean;
  /** Speed of market time. Default: 1. */
  marketSpeed?: number;
  /** An earlier server's folder, which remains after closing. Default: a new one, removed on close. */
  dataDir?: string;
}

export async function startWholeServer(database: Database, options: WholeServerOptions = {}): Promise<WholeServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kat-whole-')));
  const siteDir = await mkdtemp(join(tmpdir(), 'kat-site-'));
  await writeFile(join(siteDir, 'index.html'), '<!doctype html><title>Kat</title>');
  const log = options.log ?? testLog;
  const clock = options.clock ?? productClock();
  // House forecasts, a dozen every few minutes, run only in tests that need them.
  // Requests wait, because a busy machine must not fail a test of something else.
  const env = { HOUSE_FORECASTS: 'off', DEVELOPMENT: 'patient', ...options.env };
  const config = readConfig({ ...env, PORT: '0', DATA_DIR: dataDir, MARKET: 'sandbox' }, options.addresses);
  const { hasFaultControl } = config.development;
  let running: RunningServer | null = null;
  const simulated = { clock, dataDir: null, speed: options.marketSpeed ?? 1, seed: 'whole', startMs: null };
  // Generating prices that no one reads takes a third of such a server's CPU.
  const isWatched = () => running?.hasLiveReaders() ?? false;
  const sandbox = await startSandboxMarket({ ...simulated, hasFaultControl, isWatched });
  const market = sandboxSource(sandbox);
  const communitySandbox =
    options.hasCommunity === true ? await startCommunitySandbox({ clock, hasFaultControl }) : null;
  const community = communitySandbox === null ? NO_COMMUNITY : sandboxCommunity(communitySandbox);
  const faults = {
    marketFaultsUrl: sandbox.faultControlUrl,
    communityFaultsUrl: communitySandbox?.faultControlUrl ?? null,
  };
  // A hosted project has its own mailbox and identity provider.
  const isOwn = config.hosted === null;
  const mailbox = isOwn ? await startSandboxMailbox({ clock }) : null;
  const sandboxProviders = isOwn ? await startIdentitySandbox() : null;
  const payments = await openPayments(config, { clock, address: () => running, log: (line) => log.info(line) });
  const limits = options.limits ?? noLimits();
  const modelsDir = options.modelsDir ?? join(siteDir, 'no-models');
  const peers = { market, community, ...faults, mailbox, payments: payments.source, sandboxProviders };
  const parts = { config, clock, log, database, ...peers, siteDir, isDemo: false, limits, passwordCost, modelsDir };
  const server = await startServer(parts);
  running = server;
  return {
    url: server.url,
    dataDir,
    async close() {
      await server.close();
      await Promise.all([
        sandbox.close(),
        communitySandbox?.close(),
        mailbox?.close(),
        sandboxProviders?.close(),
        payments.close(),
      ]);
      const own = options.dataDir === undefined ? [dataDir, siteDir] : [siteDir];
      for (const folder of own) await rm(folder, { recursive: true, force: true });
    },
  };
}
