/** The source of news and counters: the real services, or the sandbox with the same protocols. */
import type { Clock } from '#domain/time/clock.ts';
import type { CommunityAddresses, CommunityKeys } from '../platform/config/config-community.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface CommunitySource {
  /** Articles and counts of the two never mix, and the page shows which they are. */
  kind: 'live' | 'simulated';
  addresses: CommunityAddresses;
  keys: CommunityKeys;
}

export interface CommunityOptions {
  source: CommunitySource;
  database: Database;
  clock: Clock;
  log: Logger;
}
