/** What the account's functions share. */
import type { Clock } from '#domain/time/clock.ts';
import type { RateLimits } from '../backend/limits.ts';
import type { Database } from '../platform/database/database.ts';
import type { SessionMemory } from '../platform/http/calls/caller.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface AccountDeps {
  /** With the accounts in it: our own, or a hosted project's. */
  database: Database;
  clock: Clock;
  log: Logger;
  sessions: SessionMemory;
  limits: RateLimits;
  /** False where nobody sends what waits in the mail queue. */
  sendsMails: boolean;
}
