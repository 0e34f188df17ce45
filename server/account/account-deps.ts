/** Dependencies that the account functions share. */
import type { Clock } from '#domain/time/clock.ts';
import type { RateLimits } from '../backend/limits.ts';
import type { Database } from '../platform/database/database.ts';
import type { SessionMemory } from '../platform/http/calls/caller.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface AccountDeps {
  /** Holds the accounts: our own database, or a hosted project's. */
  database: Database;
  clock: Clock;
  log: Logger;
  sessions: SessionMemory;
  limits: RateLimits;
  /** False if no process sends the queued mails. */
  sendsMails: boolean;
}
