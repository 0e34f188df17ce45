/** revoke-api-key: invalidates one of the caller's keys. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { asOwner } from '../../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { revokeApiKey as revoke } from '../api-keys/api-key-store.ts';

/** Answers `{ok: true}`. Takes effect immediately in every process, since each request looks its key up. */
export function revokeApiKey(deps: Pick<AccountDeps, 'database' | 'clock'>): ServerFunction {
  return serverFunction({
    name: 'revoke-api-key',
    body: z.strictObject({ id: z.guid() }),
    refusals: ['account/no-such-key'],
    async handle({ body, caller }) {
      const nowIso = new Date(deps.clock.nowMs()).toISOString();
      const isRevoked = await revoke(asOwner(deps.database), { userId: caller.userId, id: body.id }, nowIso);
      if (!isRevoked) throw new AppError('account/no-such-key');
      return { ok: true };
    },
  });
}
