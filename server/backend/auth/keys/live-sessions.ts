/**
 * Which sessions are still alive, as the database says. A yes is remembered for a few seconds; a session that this
 * process ended is refused at once, even by requests already on their way.
 */
import type { Clock } from '#domain/time/clock.ts';
import { type Database, OWNER } from '../../../platform/database.ts';

/** How long another process's sign-out may go unnoticed here. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 20_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface LiveSessions {
  /** False once the session was signed out or its user removed. */
  isLive(sessionId: string): Promise<boolean>;
  /** From now on these are refused, for as long as their tokens could live. */
  end(sessionIds: readonly string[], tokenLifeMs: number): void;
  /** The database is asked afresh about every session, also by whoever is asking it at this moment. */
  forgetAll(): void;
}

export function liveSessions(database: Database, clock: Clock): LiveSessions {
  const liveUntilMs = new Map<string, number>();
  /** Ended here, by the time when their last access token has run out. */
  const endedUntilMs = new Map<string, number>();
  let generation = 0;

  async function isLive(sessionId: string): Promise<boolean> {
    if (endedUntilMs.has(sessionId) || !UUID.test(sessionId)) return false;
    // Real time, since this is about the age of an answer; the product's clock may stand still or jump.
    const nowMs = Date.now();
    if ((liveUntilMs.get(sessionId) ?? 0) > nowMs) return true;
    const askedIn = generation;
    const rows = await database.query<{ live: boolean }>(
      OWNER,
      `select exists (select from auth.sessions
        where id = $1::text::uuid and (not_after is null or not_after > $2::text::timestamptz)) as live`,
      [sessionId, new Date(clock.nowMs()).toISOString()],
    );
    // Ended while the database was asked: its answer is from before.
    if (askedIn !== generation) return isLive(sessionId);
    const isAlive = rows[0]?.live === true && !endedUntilMs.has(sessionId);
    if (isAlive) {
      if (liveUntilMs.size >= MAX_REMEMBERED) liveUntilMs.clear();
      liveUntilMs.set(sessionId, nowMs + REMEMBERED_MS);
    } else liveUntilMs.delete(sessionId);
    return isAlive;
  }

  function end(sessionIds: readonly string[], tokenLifeMs: number): void {
    const nowMs = clock.nowMs();
    for (const [sessionId, untilMs] of endedUntilMs) {
      // Oldest first: the first one still needed ends the sweep.
      if (untilMs > nowMs) break;
      endedUntilMs.delete(sessionId);
    }
    for (const sessionId of sessionIds) {
      liveUntilMs.delete(sessionId);
      endedUntilMs.set(sessionId, nowMs + tokenLifeMs);
    }
  }

  function forgetAll(): void {
    generation += 1;
    liveUntilMs.clear();
  }

  return { isLive, end, forgetAll };
}
