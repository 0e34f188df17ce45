/**
 * Which sessions are live, and whether they have verified their account's second factor, according to the database. A
 * positive answer is cached for a few seconds. A session that this process ended is refused immediately, even for
 * requests in progress.
 */
import * as z from 'zod/mini';
import type { Clock } from '#domain/time/clock.ts';
import { type Database, OWNER } from '../../../platform/database/database.ts';
import type { SignInStatus } from '../../../platform/http/calls/caller.ts';
import type { Bus } from '../../../platform/processes/bus.ts';

/** The longest time until another process's sign-out is noticed here. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 20_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `ended`: signed out, expired, or its user deleted. */
export type SessionState = 'live' | 'banned' | 'ended';

export interface LiveSessions {
  stateOf(sessionId: string): Promise<SessionState>;
  statusOf(sessionId: string): Promise<SignInStatus>;
  /** Refuses these sessions from now on, for the lifetime of their tokens. */
  end(sessionIds: readonly string[], tokenLifeMs: number): void;
  /** Drops the cached sessions of a user; queries in progress are repeated too. */
  forgetUser(userId: string): void;
  forgetAll(): void;
}

interface LiveSession {
  userId: string;
  hasSecondFactor: boolean;
  isRaised: boolean;
}

interface SessionRow extends LiveSession {
  isBanned: boolean;
  [column: string]: unknown;
}

export function liveSessions(database: Database, clock: Clock): LiveSessions {
  const known = new Map<string, { session: LiveSession; untilMs: number }>();
  /** Sessions ended here, each with the expiry of its last access token. */
  const endedUntilMs = new Map<string, number>();
  let generation = 0;

  async function find(sessionId: string): Promise<LiveSession | 'banned' | 'ended'> {
    if (endedUntilMs.has(sessionId) || !UUID.test(sessionId)) return 'ended';
    // Real time, because this measures the age of a cache entry; the product's clock may stop or jump.
    const nowMs = Date.now();
    const cached = known.get(sessionId);
    if (cached !== undefined && cached.untilMs > nowMs) return cached.session;
    const startedIn = generation;
    const rows = await database.query<SessionRow>(
      OWNER,
      `select u.id::text as "userId", coalesce(s.aal::text = 'aal2', false) as "isRaised",
         coalesce(u.banned_until > $2::text::timestamptz, false) as "isBanned",
         exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as "hasSecondFactor"
       from auth.sessions s join auth.users u on u.id = s.user_id
       where s.id = $1::text::uuid and (s.not_after is null or s.not_after > $2::text::timestamptz)`,
      [sessionId, new Date(clock.nowMs()).toISOString()],
    );
    // A session ended or changed during the query, so its result is stale.
    if (startedIn !== generation) return find(sessionId);
    const row = endedUntilMs.has(sessionId) ? undefined : rows[0];
    if (row === undefined || row.isBanned) {
      known.delete(sessionId);
      return row === undefined ? 'ended' : 'banned';
    }
    if (known.size >= MAX_REMEMBERED) known.clear();
    const { userId, hasSecondFactor, isRaised } = row;
    const session = { userId, hasSecondFactor, isRaised };
    known.set(sessionId, { session, untilMs: nowMs + REMEMBERED_MS });
    return session;
  }

  async function stateOf(sessionId: string): Promise<SessionState> {
    const found = await find(sessionId);
    return typeof found === 'string' ? found : 'live';
  }

  async function statusOf(sessionId: string): Promise<SignInStatus> {
    const found = await find(sessionId);
    if (typeof found === 'string') return { isLive: false, hasSecondFactor: false, isRaised: false };
    return { isLive: true, hasSecondFactor: found.hasSecondFactor, isRaised: found.isRaised };
  }

  function end(sessionIds: readonly string[], tokenLifeMs: number): void {
    const nowMs = clock.nowMs();
    for (const [sessionId, untilMs] of endedUntilMs) {
      // Oldest first: the first entry still needed ends the cleanup.
      if (untilMs > nowMs) break;
      endedUntilMs.delete(sessionId);
    }
    for (const sessionId of sessionIds) {
      known.delete(sessionId);
      endedUntilMs.set(sessionId, nowMs + tokenLifeMs);
    }
  }

  function forgetUser(userId: string): void {
    generation += 1;
    for (const [sessionId, { session }] of known) if (session.userId === userId) known.delete(sessionId);
  }

  function forgetAll(): void {
    generation += 1;
    known.clear();
  }

  return { stateOf, statusOf, end, forgetUser, forgetAll };
}

const SUBJECT = 'sessions';
/** Per message: an account with more devices is announced in several. */
const MAX_IDS = 10_000;

const changeSchema = z.union([
  z.object({ ended: z.array(z.string()).check(z.maxLength(MAX_IDS)), tokenLifeMs: z.number().check(z.gte(0)) }),
  z.object({ changedUser: z.string() }),
  z.object({ all: z.literal(true) }),
]);
type SessionChange = z.infer<typeof changeSchema>;

/** @param bus  if absent or in-process, nothing is shared */
export function sharedSessions(own: LiveSessions, bus: Bus | undefined): LiveSessions {
  if (bus === undefined || bus.kind === 'in-process') return own;
  return joinSessions(own, bus);
}

/** Receiving one's own messages is harmless: the change has already been applied. */
export function joinSessions(own: LiveSessions, bus: Pick<Bus, 'publish' | 'subscribe'>): LiveSessions {
  bus.subscribe(SUBJECT, (message) => {
    const change = changeSchema.parse(message);
    if ('ended' in change) own.end(change.ended, change.tokenLifeMs);
    else if ('changedUser' in change) own.forgetUser(change.changedUser);
    else own.forgetAll();
  });
  const announce = (change: SessionChange) => bus.publish(SUBJECT, change);
  return {
    ...own,
    end(sessionIds, tokenLifeMs) {
      own.end(sessionIds, tokenLifeMs);
      for (let i = 0; i < sessionIds.length; i += MAX_IDS)
        announce({ ended: sessionIds.slice(i, i + MAX_IDS), tokenLifeMs });
    },
    forgetUser(userId) {
      own.forgetUser(userId);
      announce({ changedUser: userId });
    },
    forgetAll() {
      own.forgetAll();
      announce({ all: true });
    },
  };
}
