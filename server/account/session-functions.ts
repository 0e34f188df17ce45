import * as z from 'zod/mini';
import type { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { lockAssurance } from '../backend/auth/sessions/assurance.ts';
import { asOwner, OWNER, type Queries } from '../platform/database/database.ts';
import type { FunctionHandler } from '../platform/http/calls/server-function.ts';
import type { AccountDeps } from './account-deps.ts';

/** Answers `{ok, sessions: [{id, created_at, last_used_at, user_agent, ip, aal, is_current}]}`, newest use first. */
export function listSessions(
  deps: Pick<AccountDeps, 'database' | 'clock'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['list-sessions']> {
  return async ({ caller }) => {
    const nowIso = new Date(deps.clock.nowMs()).toISOString();
    const sessions = await listSessionsOf(asOwner(deps.database), caller.userId, nowIso);
    return { sessions: sessions.map((one) => ({ ...one, is_current: one.id === caller.sessionId })) };
  };
}

/**
 * Answers `{ok: true}` once both tokens of the session are invalid. A concurrent refresh either ends earlier or finds
 * no session; the tokens that it issued are refused too.
 */
export function endSession(
  deps: Pick<AccountDeps, 'database' | 'clock' | 'sessions'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['end-session']> {
  return async ({ body, caller }) => {
    const sessionId = body.session_id.toLowerCase();
    if (sessionId === caller.sessionId) throw new AppError('account/current-session');
    const nowIso = new Date(deps.clock.nowMs()).toISOString();
    const isEnded = await deps.database.transaction(OWNER, async (tx) => {
      // Locks the account before its sessions, as everywhere, so that two requests cannot deadlock.
      if ((await lockAssurance(tx, caller)) === null) throw new AppError('auth/session-ended');
      return deleteSession(tx, { userId: caller.userId, sessionId }, nowIso);
    });
    if (!isEnded) throw new AppError('account/no-such-session');
    deps.sessions.endSessions([sessionId]);
  };
}

const sessionRow = z.object({
  id: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  user_agent: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  aal: z.string(),
});

/** Times in ISO 8601, UTC. `last_used_at` is the last refresh, at most an hour ago while the device is in use. */
export type ListedSession = z.infer<typeof sessionRow>;

/** No user has so many devices, but a program may sign in again for each call. */
const MOST_LISTED = 200;

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Live sessions, newest use first. A hosted project has the same columns, with other types. */
async function listSessionsOf(queries: Queries, userId: string, nowIso: string): Promise<ListedSession[]> {
  // A hosted project stores refreshed_at without a zone (in UTC, as we do) and the address as inet.
  const rows = await queries.query(
    `select id::text as id, ${iso('created_at')} as created_at, ${iso('used_at')} as last_used_at, user_agent,
       nullif(split_part(ip::text, '/', 1), '') as ip, coalesce(aal::text, 'aal1') as aal
     from (select *, coalesce(refreshed_at::timestamptz, created_at) as used_at from auth.sessions
           where user_id = $1::text::uuid and (not_after is null or not_after > $2::text::timestamptz)) s
     order by used_at desc, id limit $3::int`,
    [userId, nowIso, MOST_LISTED],
  );
  return z.array(sessionRow).parse(rows);
}

/** Also deletes its refresh tokens. @returns false for another account's session and for one that has ended */
async function deleteSession(
  queries: Queries,
  session: { userId: string; sessionId: string },
  nowIso: string,
): Promise<boolean> {
  const rows = await queries.query(
    `delete from auth.sessions where id = $1::text::uuid and user_id = $2::text::uuid
       and (not_after is null or not_after > $3::text::timestamptz) returning 1`,
    [session.sessionId, session.userId, nowIso],
  );
  return rows.length === 1;
}
