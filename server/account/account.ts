/** What an account's owner does with it beyond the client library's own calls: devices, recovery codes, the download. */
import type { ServerFunction } from '../platform/server-function.ts';
import type { AccountDeps } from './account-deps.ts';
import { endSession } from './functions/end-session.ts';
import { exportAccount } from './functions/export-account.ts';
import { listSessions } from './functions/list-sessions.ts';
import { recoverSecondFactor } from './functions/recover-second-factor.ts';
import { recoveryCodes } from './functions/recovery-codes.ts';

export function accountFunctions(deps: AccountDeps): ServerFunction[] {
  return [listSessions(deps), endSession(deps), recoveryCodes(deps), recoverSecondFactor(deps), exportAccount(deps)];
}
