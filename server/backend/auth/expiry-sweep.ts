/** Deletes expired codes and sign-in flows every ten minutes, and ended sessions and used tokens every six hours. */
import type { Core } from '../../core.ts';
import { asOwner, type Queries } from '../../platform/database/database.ts';
import { deleteExpiredTokens } from './mail/one-time-token-store.ts';
import { deleteExpiredFlows } from './sessions/flow-store.ts';

export interface ExpirySweepDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  intervalMs?: number;
}

const INTERVAL_MS = 10 * 60 * 1000;
/** Sessions expire after days, and the sweep reads them all (0.2 s for 100,000), so it runs less often. */
const SESSIONS_EVERY_RUNS = 36;

/** @returns a function that stops the sweep and waits for the current run */
export function startExpirySweep(deps: ExpirySweepDeps): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let runs = 0;
  let running = sweep();

  async function sweep(): Promise<void> {
    try {
      const nowIso = new Date(deps.clock.nowMs()).toISOString();
      await deleteExpiredTokens(asOwner(deps.database), nowIso);
      await deleteExpiredFlows(asOwner(deps.database), nowIso);
      if (runs % SESSIONS_EVERY_RUNS === 0) {
        // Each call deletes one batch. Open pages use up a token every hour, so ten thousand users need several.
        for (const deleteBatch of [deleteFinishedSessions, deleteLongUsedTokens]) {
          let mayHaveMore: boolean;
          do mayHaveMore = await deleteBatch(asOwner(deps.database), nowIso);
          while (mayHaveMore && !isStopped);
        }
      }
      runs += 1;
    } catch (error) {
      // The database may be restarting: the next run finds the same rows.
      deps.log.warn({ err: error }, 'the sweep of expired codes and sessions failed');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = sweep();
    }, deps.intervalMs ?? INTERVAL_MS);
    timer.unref();
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

/**
 * A session not refreshed for this long counts as abandoned: an access token lasts an hour, so the browser hasn't
 * returned. docs/operating/accounts.md documents the value.
 */
const ABANDONED_DAYS = 90;
/** Tokens of ended sessions, and used tokens of live ones, are retained for this long to tell theft from a guess. */
const REUSE_KNOWN_DAYS = 30;
const MOST_AT_A_TIME = 5000;

/** Also deletes their tokens. Skips rows locked by a refresh or a sign-out. @returns true if there may be more */
async function deleteFinishedSessions(queries: Queries, nowIso: string): Promise<boolean> {
  const deleted = await queries.query(
    `delete from auth.sessions where id in (
       select id from auth.sessions
       where not_after < $1::text::timestamptz - make_interval(days => $2::text::int)
         or updated_at < $1::text::timestamptz - make_interval(days => $3::text::int)
       order by id limit $4::text::int for update skip locked) returning 1 as one`,
    [nowIso, REUSE_KNOWN_DAYS, ABANDONED_DAYS, MOST_AT_A_TIME],
  );
  return deleted.length === MOST_AT_A_TIME;
}

/** Leaves each session's one unused token. @returns true if there may be more */
export async function deleteLongUsedTokens(queries: Queries, nowIso: string): Promise<boolean> {
  const deleted = await queries.query(
    `delete from auth.refresh_tokens where id in (
       select id from auth.refresh_tokens
       where used_at < $1::text::timestamptz - make_interval(days => $2::text::int)
       order by id limit $3::text::int for update skip locked) returning 1 as one`,
    [nowIso, REUSE_KNOWN_DAYS, MOST_AT_A_TIME],
  );
  return deleted.length === MOST_AT_A_TIME;
}
