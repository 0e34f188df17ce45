/** Finds the account of a request's API key. Each request queries the key, so revoking takes effect immediately. */
import { isApiKey, type ReadApiKey } from '#domain/account/api-key.ts';
import { AppError, type ErrorCode } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import { asOwner } from '../../platform/database/database.ts';
import { bearerOf } from '../../platform/http/calls/caller.ts';
import { type FoundApiKey, findApiKey, hashOfApiKey, recordApiKeyUse } from './api-key-store.ts';

/**
 * @throws AppError `api/no-key`, `api/bad-key`, `api/key-revoked`, `api/key-expired`, `api/key-too-weak`,
 * `auth/forbidden`
 */
export type ApiKeyReader = (request: Request) => Promise<ReadApiKey>;

export function apiKeyReader({ database, clock }: Pick<Core, 'database' | 'clock'>): ApiKeyReader {
  const queries = asOwner(database);
  return async (request) => {
    if (!request.headers.has('authorization')) throw new AppError('api/no-key');
    const text = bearerOf(request);
    if (text === null || !isApiKey(text)) throw new AppError('api/bad-key');
    const nowIso = new Date(clock.nowMs()).toISOString();
    const found = await findApiKey(queries, hashOfApiKey(text), nowIso);
    if (found === null) throw new AppError('api/bad-key');
    const refusal = refusalOf(found);
    if (refusal !== null) throw new AppError(refusal);
    if (!found.isUseRecorded) await recordApiKeyUse(queries, found.id, nowIso);
    const { id, userId, name, prefix, isRaised, createdAt, expiresAt } = found;
    return { id, userId, name, prefix, isRaised, createdAt, expiresAt };
  };
}

/** Null for a key that works now. */
export function refusalOf({ isRevoked, isExpired, isBanned, hasFactor, isRaised }: FoundApiKey): ErrorCode | null {
  if (isRevoked) return 'api/key-revoked';
  if (isExpired) return 'api/key-expired';
  if (isBanned) return 'auth/forbidden';
  return hasFactor && !isRaised ? 'api/key-too-weak' : null;
}
