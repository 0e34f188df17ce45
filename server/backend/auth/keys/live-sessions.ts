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

/** `ended`: signed out, run out, or its user removed. */
export type SessionState = 'live' | 'banned' | 'ended';

export interface LiveSessions {
  stateOf(sessionId: string): Promise<SessionState>;
  /** False once the session was signed out or its user removed or banned. */
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

  async function stateOf(sessionId: string): Promise<SessionState> {
    if (endedUntilMs.has(sessionId) || !UUID.test(sessionId)) return 'ended';
    // Real time, since this is about the age of an answer; the product's clock may stand still or jump.
    const nowMs = Date.now();
    if ((liveUntilMs.get(sessionId) ?? 0) > nowMs) return 'live';
    const askedIn = generation;
    const rows = await database.query<{ live: boolean }>(
      OWNER,
      `select not coalesce(u.banned_until > $2::text::timestamptz, false) as live
       from auth.sessions s join auth.users u on u.id = s.user_id
       where s.id = $1::text::uuid and (s.not_after is null or s.not_after > $2::text::timestamptz)`,
      [sessionId, new Date(clock.nowMs()).toISOString()],
    );
    // Ended while the database was asked: its answer is from before.
    if (askedIn !== generation) return stateOf(sessionId);
    const row = endedUntilMs.has(sessionId) ? undefined : rows[0];
    if (row?.live !== true) {
      liveUntilMs.delete(sessionId);
      return row === undefined ? 'ended' : 'banned';
    }
    if (liveUntilMs.size >= MAX_REMEMBERED) liveUntilMs.clear();
    liveUntilMs.set(sessionId, nowMs + REMEMBERED_MS);
    return 'live';
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

  return { stateOf, isLive: async (sessionId) => (await stateOf(sessionId)) === 'live', end, forgetAll };
}
