/** Notifies an account's owner of a change by mail, both on our own backend and in front of a hosted project. */
import { type SecurityNotice, securityNotice } from '../backend/auth/mail/security-notices.ts';
import type { Transaction } from '../platform/database/database.ts';
import { queueMail } from '../platform/mail/mail-queue.ts';
import type { AccountDeps } from './account-deps.ts';
import { ownersAddress } from './recovery-code-store.ts';

/** Runs in the transaction of the change. */
export async function notifyOwner(
  tx: Transaction,
  deps: Pick<AccountDeps, 'sendsMails'>,
  notice: { userId: string; kind: SecurityNotice },
  nowIso: string,
): Promise<void> {
  const to = deps.sendsMails ? await ownersAddress(tx, notice.userId) : null;
  if (to !== null) await queueMail(tx, securityNotice(notice.kind, to), { userId: notice.userId, nowIso });
}
