import { type SecurityNotice, securityNotice } from '../backend/auth/mail/security-notices.ts';
import type { RateLimits } from '../backend/limits.ts';
import type { Core } from '../core.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { SessionMemory } from '../platform/http/calls/caller.ts';
import { queueMail } from '../platform/mail/mail-queue.ts';
import type { EraseDeps } from './erasure/erase-account.ts';
import { ownersAddress } from './recovery-code-store.ts';

/** What an account's owner needs to delete it. */
export interface DeletionParts extends Omit<EraseDeps, 'database'> {
  isPassword(password: string, storedHash: string, requester: { address: string }): Promise<boolean>;
}

export interface AccountDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  sessions: SessionMemory;
  limits: RateLimits;
  /** False if no process sends the queued mails. */
  sendsMails: boolean;
  /** Null: only the operator deletes accounts. */
  deletion: DeletionParts | null;
}

export async function notifyOwner(
  tx: Transaction,
  deps: Pick<AccountDeps, 'sendsMails'>,
  notice: { userId: string; kind: SecurityNotice },
  nowIso: string,
): Promise<void> {
  const to = deps.sendsMails ? await ownersAddress(tx, notice.userId) : null;
  if (to !== null) await queueMail(tx, securityNotice(notice.kind, to), { userId: notice.userId, nowIso });
}
