import { API_KEY_SHOWN, MOST_API_KEYS } from '#domain/account/api-key.ts';
import type { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { requireProof } from '../../backend/auth/sessions/session-proof.ts';
import { asOwner, OWNER } from '../../platform/database/database.ts';
import type { FunctionHandler } from '../../platform/http/calls/server-function.ts';
import { type AccountDeps, notifyOwner } from '../account-deps.ts';
import { addApiKey, hashOfApiKey, newApiKey, revokeApiKey as revokeKey } from './api-key-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Answers `{ok, id, key}`, the only time the key is shown, and notifies the owner by mail. */
export function createApiKey(
  deps: Omit<AccountDeps, 'sessions'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['create-api-key']> {
  return async ({ body, caller }) => {
    const { userId } = caller;
    await deps.limits.apiKeysPerAccount.consume(userId);
    const nowMs = deps.clock.nowMs();
    const nowIso = new Date(nowMs).toISOString();
    const days = body.expires_in_days;
    const expiresAtIso = days === undefined ? null : new Date(nowMs + days * DAY_MS).toISOString();
    const key = newApiKey();
    const id = await deps.database.transaction(OWNER, async (tx) => {
      const { isRaised } = await requireProof(tx, caller);
      const added = await addApiKey(
        tx,
        {
          userId,
          name: body.name,
          prefix: key.slice(0, API_KEY_SHOWN),
          hash: hashOfApiKey(key),
          isRaised,
          expiresAtIso,
        },
        { most: MOST_API_KEYS, nowIso },
      );
      if (added === null) throw new AppError('account/too-many-keys');
      await notifyOwner(tx, deps, { userId, kind: 'api_key_made' }, nowIso);
      return added;
    });
    return { id, key };
  };
}

/** Answers `{ok: true}`. Takes effect immediately in every process, since each request looks its key up. */
export function revokeApiKey(
  deps: Pick<AccountDeps, 'database' | 'clock'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['revoke-api-key']> {
  return async ({ body, caller }) => {
    const nowIso = new Date(deps.clock.nowMs()).toISOString();
    const isRevoked = await revokeKey(asOwner(deps.database), { userId: caller.userId, id: body.id }, nowIso);
    if (!isRevoked) throw new AppError('account/no-such-key');
  };
}
