import type { ReadApiKey } from '#domain/account/api-key.ts';
import type { DatabaseCaller } from '../../platform/database/database.ts';

/** The user who created the key. */
export type KeyOwner = Pick<ReadApiKey, 'userId' | 'isRaised'>;

/** Reads as the owner under row-level security. The key stores its session's proof, which the policies require. */
export function callerOf({ userId, isRaised }: KeyOwner): DatabaseCaller {
  const claims = { sub: userId, role: 'authenticated', aal: isRaised ? 'aal2' : 'aal1' };
  return { role: 'authenticated', claims };
}
