/** Options for starting a server. The caller chooses the implementations. */
import { fileURLToPath } from 'node:url';
import type { ProviderSettings } from './backend/auth/providers/providers.ts';
import type { RateLimits } from './backend/limits.ts';
import type { PaymentsSource } from './billing/provider/payments-source.ts';
import type { CommunitySource } from './community/community-source.ts';
import type { DevSources } from './dev-routes.ts';
import type { MarketSource } from './market/market-source.ts';
import type { Config } from './platform/config/config.ts';
import type { Database } from './platform/database/database.ts';
import type { Vacuumed } from './platform/database/pglite/pglite-vacuum.ts';
import type { Pooled } from './platform/database/session-pool.ts';
import type { ReadinessCheck } from './platform/http/health.ts';
import type { ProductClock } from './platform/product-clock.ts';
import type { Logger } from './platform/telemetry/log.ts';

export interface ServerOptions extends DevSources {
  config: Config;
  clock: ProductClock;
  log: Logger;
  /** Open and migrated; the caller closes it. */
  database: Database & Partial<Pooled> & Partial<Vacuumed>;
  market: MarketSource;
  community: CommunitySource;
  /** The payment provider; null: nothing can be bought. */
  payments?: PaymentsSource | null;
  /** Simulated sign-in providers for those without settings; unused if users of other machines can reach the site. */
  sandboxProviders?: ProviderSettings | null;
  siteDir: string;
  modelsDir?: string;
  isDemo: boolean;
  /** Further conditions of /readyz: work that the caller still does once the server answers. */
  readiness?: readonly ReadinessCheck[];
  /** Rate limits per address and per account; default: the product's. */
  limits?: RateLimits;
  /** bcrypt's cost; default: the product's. Tests that create many accounts lower it. */
  passwordCost?: number;
}

export const MODELS_DIR = fileURLToPath(new URL('../models/', import.meta.url));
export const VERSION = '0.1.0';

/** Collects functions that close each part, in the order of opening. */
export type Undo = (() => unknown)[];
