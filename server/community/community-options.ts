/** Options for opening news and counters. */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { CommunitySource } from './community-source.ts';

export interface CommunityOptions {
  source: CommunitySource;
  database: Database;
  clock: Clock;
  log: Logger;
}
