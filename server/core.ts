/**
 * What the parts of the server share: where they read and write, what time it is, where they report, and how they limit
 * callers. `main.ts` makes the only one. A part extends it, or picks the fields that it uses.
 */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { RateLimiterOf } from './platform/http/guards/rate-limit.ts';
import type { Logger } from './platform/telemetry/log.ts';

export interface Core {
  /** Open and migrated. */
  database: Database;
  /** The product's own; a market that replays recordings has another, `marketClock`. */
  clock: Clock;
  log: Logger;
  /**
   * Makes a limit, counted over all processes where there are several. Each part names and sizes its own; the made ones of
   * sign-in and accounts are a table, backend/limits.ts.
   */
  limiterOf: RateLimiterOf;
}
