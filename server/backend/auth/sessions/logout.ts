/** POST /logout: ends this session, the others, or all of them. */
import type { Context } from 'hono';
import { asOwner } from '../../../platform/database.ts';
import { type AuthDeps, requireSession } from '../auth-deps.ts';
import { validationFailed } from '../auth-error.ts';
import { deleteSessions } from './session-store.ts';

export async function logout(c: Context, deps: AuthDeps): Promise<void> {
  const scope = c.req.query('scope') ?? 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw validationFailed('scope must be global, local or others');
  const signedIn = await requireSession(c, deps);
  deps.verifier.endSessions(await deleteSessions(asOwner(deps.database), scope, signedIn));
}
