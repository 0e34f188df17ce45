/**
 * Verifies tokens and knows which sessions are still alive. A live session is remembered for a few seconds; one that
 * this process ended is refused at once, even by requests already on their way.
 */
import { errors } from 'jose';
import { AppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { TokenVerifier } from '../../platform/caller.ts';
import { type Database, OWNER } from '../../platform/database.ts';
import type { SigningKeys } from './keys.ts';

export const ACCESS_TOKEN_S = 60 * 60;

/** How long another process's sign-out may go unnoticed here. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 20_000;

export interface SessionVerifier extends TokenVerifier {
  /** From now on these sessions are refused. */
  endSessions(sessionIds: readonly string[]): void;
}

export function tokenVerifier(keys: SigningKeys, database: Database, clock: Clock): SessionVerifier {
  const liveUntilMs = new Map<string, number>();
  /** Ended here, by the time when their last access token has run out. */
  const endedUntilMs = new Map<string, number>();

  async function verify(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      return await keys.verify(token, clock.nowMs());
    } catch (cause) {
      if (!(cause instanceof errors.JOSEError)) throw cause;
      const reason = cause instanceof errors.JWTExpired ? 'expired' : 'invalid';
      throw new AppError('auth/bad-token', { details: { reason }, cause });
    }
  }

  async function isSessionLive(sessionId: string): Promise<boolean> {
    if (endedUntilMs.has(sessionId)) return false;
    // Real time, since this is about the age of an answer; the product's clock may stand still or jump.
    const nowMs = Date.now();
    if ((liveUntilMs.get(sessionId) ?? 0) > nowMs) return true;
    const rows = await database.query<{ live: boolean }>(
      OWNER,
      `select exists (select from auth.sessions
        where id = $1::text::uuid and (not_after is null or not_after > $2::text::timestamptz)) as live`,
      [sessionId, new Date(clock.nowMs()).toISOString()],
    );
    // Ended while the database was asked: its answer is from before.
    const isLive = rows[0]?.live === true && !endedUntilMs.has(sessionId);
    if (isLive) {
      if (liveUntilMs.size >= MAX_REMEMBERED) liveUntilMs.clear();
      liveUntilMs.set(sessionId, nowMs + REMEMBERED_MS);
    } else liveUntilMs.delete(sessionId);
    return isLive;
  }

  function endSessions(sessionIds: readonly string[]): void {
    const nowMs = clock.nowMs();
    for (const [sessionId, untilMs] of endedUntilMs) {
      // Oldest first: the first one still needed ends the sweep.
      if (untilMs > nowMs) break;
      endedUntilMs.delete(sessionId);
    }
    for (const sessionId of sessionIds) {
      liveUntilMs.delete(sessionId);
      endedUntilMs.set(sessionId, nowMs + ACCESS_TOKEN_S * 1000);
    }
  }

  return { verify, isSessionLive, endSessions };
}
