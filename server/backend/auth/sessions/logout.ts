/** POST /logout: ends this session, the others, or all of them. */
import type { Context } from 'hono';
import { OWNER } from '../../../platform/database/database.ts';
import { lockAccount } from '../account-store.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { validationFailed } from '../auth-error.ts';
import { deleteFlowsOf } from './flow-store.ts';
import { deleteSessions } from './session-store.ts';

export async function logout(c: Context, deps: AuthDeps): Promise<void> {
  const scope = c.req.query('scope') ?? 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw validationFailed('scope must be global, local or others');
  const signedIn = await requireSession(c, deps);
  const ended = await deps.database.transaction(OWNER, async (tx) => {
    await lockAccount(tx, signedIn.userId, nowIso(deps));
    // An unexchanged auth code could still become a session.
    if (scope === 'global') await deleteFlowsOf(tx, signedIn.userId);
    return deleteSessions(tx, scope, signedIn);
  });
  deps.verifier.endSessions(ended);
}
