/** Jobs that nobody is expected to run now: of former settings, whose rows stay, and those that run when they are asked to. */
import type { OperationsFacts, OperationsJob } from './operations-state.ts';

/** The verification of all subscriptions: its row is a lease and no schedule. */
export const VERIFY_JOB = 'billing-verify';
/** Writes the forecasts of the house into the public record. */
export const HOUSE_JOB = 'house-forecasts';
/** Makes a backup a day. */
export const BACKUP_JOB = 'backup';
/** Of a job that is no longer ours another process may do it: then it does not miss its time for so long. */
const RESTS_AFTER_MS = 86_400_000;

type RestFacts = Pick<OperationsFacts, 'market' | 'community' | 'payments' | 'database' | 'record' | 'backups'>;

/**
 * True for a job of a kind (`live:`, `simulated:` before its name) that neither market nor community are of now, for one
 * that is not ours and that nobody has taken for a day (another key, plan or channel runs under another name), for those
 * without a schedule, and for those that are switched off. One that is ours is late for as long as it is.
 */
export function isAtRest(
  { name, isOurs, isRunning, nextDueAtMs }: OperationsJob,
  { market, community, payments, database, record, backups }: RestFacts,
): boolean {
  if (isRunning) return false;
  if (name === VERIFY_JOB || (name === 'billing-sweep' && payments.mode === 'none')) return true;
  if ((name === HOUSE_JOB && !record.isIssuing) || (name === BACKUP_JOB && !backups.areMade)) return true;
  if (!isOurs && database.nowMs - nextDueAtMs > RESTS_AFTER_MS) return true;
  const kind = /^(live|simulated):/.exec(name)?.[1];
  return kind !== undefined && kind !== (market.kind === 'live' ? 'live' : 'simulated') && kind !== community.kind;
}
