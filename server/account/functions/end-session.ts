/** end-session: signs out another device of the caller. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { lockAssurance } from '../../backend/auth/sessions/assurance.ts';
import { OWNER } from '../../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { deleteSession } from '../session-list-store.ts';

/**
 * Answers `{ok: true}` once both tokens of the session are invalid. A concurrent refresh either ends earlier or finds
 * no session; the tokens that it issued are refused too.
 */
export function endSession(deps: Pick<AccountDeps, 'database' | 'clock' | 'sessions'>): ServerFunction {
  return serverFunction({
    name: 'end-session',
    body: z.object({ session_id: z.guid() }),
    refusals: ['account/current-session', 'account/no-such-session'],
    async handle({ body, caller }) {
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
      return { ok: true };
    },
  });
}
