/** Functions for an account's owner that the client library lacks: devices, recovery codes, keys, download, deletion. */
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import type { AccountDeps } from './account-deps.ts';
import { createApiKey, revokeApiKey } from './api-keys/api-key-functions.ts';
import { deleteAccount } from './erasure/delete-function.ts';
import { exportAccount } from './export/export-function.ts';
import { recoverSecondFactor, recoveryCodes } from './recovery-code-functions.ts';
import { endSession, listSessions } from './session-functions.ts';

export function accountFunctions(deps: AccountDeps): ServerFunction[] {
  return [
    ...[listSessions(deps), endSession(deps), recoveryCodes(deps), recoverSecondFactor(deps), exportAccount(deps)],
    ...[createApiKey(deps), revokeApiKey(deps), deleteAccount(deps)],
  ];
}
