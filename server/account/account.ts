/** Functions for an account's owner that the client library lacks: devices, recovery codes, keys, the data export. */
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import type { AccountDeps } from './account-deps.ts';
import { createApiKey } from './functions/create-api-key.ts';
import { endSession } from './functions/end-session.ts';
import { exportAccount } from './functions/export-account.ts';
import { listSessions } from './functions/list-sessions.ts';
import { recoverSecondFactor } from './functions/recover-second-factor.ts';
import { recoveryCodes } from './functions/recovery-codes.ts';
import { revokeApiKey } from './functions/revoke-api-key.ts';

export function accountFunctions(deps: AccountDeps): ServerFunction[] {
  return [
    ...[listSessions(deps), endSession(deps), recoveryCodes(deps), recoverSecondFactor(deps), exportAccount(deps)],
    ...[createApiKey(deps), revokeApiKey(deps)],
  ];
}
