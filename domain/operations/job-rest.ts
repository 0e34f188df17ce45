/** Jobs that are not expected to run now: those of former settings, whose rows remain, and those without a schedule. */
import type { OperationsFacts, OperationsJob } from './operations-state.ts';

/** Verifies all subscriptions; its row is a lease, not a schedule. */
export const VERIFY_JOB = 'billing-verify';
export const HOUSE_JOB = 'house-forecasts';
export const CHANCE_JOB = 'house-chances';
export const BACKUP_JOB = 'backup';
/** How long a job that this process no longer runs counts as expected, since another process may run it. */
const RESTS_AFTER_MS = 86_400_000;

type RestFacts = Pick<OperationsFacts, 'market' | 'community' | 'payments' | 'database' | 'record' | 'backups'>;

/**
 * True for a job whose kind (`live:` or `simulated:` before its name) is neither the market's nor the community's now,
 * for one that isn't ours and is overdue by a day (another key, plan or channel runs under another name), for those
 * without a schedule, and for those switched off. A job of ours stays late until it runs.
 */
export function isAtRest(
  { name, isOurs, isRunning, nextDueAtMs }: OperationsJob,
  { market, community, payments, database, record, backups }: RestFacts,
): boolean {
  if (isRunning) return false;
  if (name === VERIFY_JOB || (name === 'billing-sweep' && payments.mode === 'none')) return true;
  if (((name === HOUSE_JOB || name === CHANCE_JOB) && !record.isIssuing) || (name === BACKUP_JOB && !backups.isEnabled))
    return true;
  if (!isOurs && database.nowMs - nextDueAtMs > RESTS_AFTER_MS) return true;
  const kind = /^(live|simulated):/.exec(name)?.[1];
  return kind !== undefined && kind !== (market.kind === 'live' ? 'live' : 'simulated') && kind !== community.kind;
}
