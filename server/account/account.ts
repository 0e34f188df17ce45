/** Functions for an account's owner that the client library lacks: devices, recovery codes, keys, download, deletion. */
import { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import type { AccountDeps } from './account-deps.ts';
import { createApiKey, revokeApiKey } from './api-keys/api-key-functions.ts';
import { deleteAccount } from './erasure/delete-function.ts';
import { exportAccount } from './export/export-function.ts';
import { recoverSecondFactor, recoveryCodes } from './recovery-code-functions.ts';
import { endSession, listSessions } from './session-functions.ts';

export function accountFunctions(deps: AccountDeps): ServerFunction[] {
  return contractFunctions(ACCOUNT_FUNCTIONS, {
    'list-sessions': listSessions(deps),
    'end-session': endSession(deps),
    'recovery-codes': recoveryCodes(deps),
    'recover-second-factor': recoverSecondFactor(deps),
    'delete-account': deleteAccount(deps),
    'export-account': exportAccount(deps),
    'create-api-key': createApiKey(deps),
    'revoke-api-key': revokeApiKey(deps),
  });
}
