/** list-sessions: the devices that are signed in to the caller's account. */
import * as z from 'zod/mini';
import { asOwner } from '../../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { listSessionsOf } from '../session-list-store.ts';

/** Answers `{ok, sessions: [{id, created_at, last_used_at, user_agent, ip, aal, is_current}]}`, newest use first. */
export function listSessions(deps: Pick<AccountDeps, 'database' | 'clock'>): ServerFunction {
  return serverFunction({
    name: 'list-sessions',
    body: z.unknown(),
    async handle({ caller }) {
      const nowIso = new Date(deps.clock.nowMs()).toISOString();
      const sessions = await listSessionsOf(asOwner(deps.database), caller.userId, nowIso);
      return { ok: true, sessions: sessions.map((one) => ({ ...one, is_current: one.id === caller.sessionId })) };
    },
  });
}
