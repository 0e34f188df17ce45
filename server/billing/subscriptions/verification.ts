/** Fixes differing rows through the one sync. Time is bounded; the next verification continues where it stopped. */
import { randomUUID } from 'node:crypto';
import type { VERIFICATION_FUNCTIONS } from '#domain/contract/admin-functions.ts';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { VERIFY_JOB } from '#domain/operations/job-rest.ts';
import type { FunctionHandlers } from '../../platform/http/calls/server-function.ts';
import type { JobStore } from '../../platform/processes/job-store.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { SubscriptionSync } from './subscription-sync.ts';
import type { VerificationFigures, VerificationStore } from './verification-store.ts';

export interface VerificationDeps {
  sync: Pick<SubscriptionSync, 'ofCustomer'>;
  store: VerificationStore;
  jobs: JobStore;
  log: Logger;
  /** No further customer is started after this time. Default 50 s: browsers and proxies wait that long. */
  limitMs?: number;
}

const LIMIT_MS = 50_000;
/** Longer than the limit plus one customer's calls with all their retries. */
const LEASE_MS = 180_000;
/** In parallel: about ten calls a second, far below the provider's limit. */
const CONCURRENCY = 3;
const BATCH = 30;
/** After this many failed customers in a row, the provider counts as unavailable. */
const MAX_FAILURES = 3;

/**
 * @param actorId the admin who started it, for the audit trail. @returns null while another one runs
 * @throws AppError `billing/provider-unavailable` if no customer could be read
 */
export async function verifySubscriptions(
  deps: VerificationDeps,
  actorId: string,
): Promise<VerificationFigures | null> {
  const { store, jobs, log } = deps;
  const holder = randomUUID();
  if ((await jobs.claim(VERIFY_JOB, holder, LEASE_MS)) !== null) return null;
  const figures: VerificationFigures = { updated: 0, checked: 0, remaining: 0, failed: 0 };
  let error: string | null = 'internal';
  try {
    await store.forgetOld();
    const isUnavailable = await verifyAll(deps, figures);
    figures.remaining = await store.remaining();
    if (figures.remaining === 0) await store.end();
    error = isUnavailable ? 'billing/provider-unavailable' : null;
  } finally {
    await store.audit(actorId, { ...figures, error });
    // Not scheduled: the next request may start immediately.
    await jobs.finish(VERIFY_JOB, holder, { nextInMs: 0, error });
  }
  log.info({ ...figures, error }, 'subscriptions were verified');
  if (error !== null && figures.checked === 0) throw new AppError('billing/provider-unavailable');
  return figures;
}

/** @returns true if it ended because the provider is unavailable */
async function verifyAll(deps: VerificationDeps, figures: VerificationFigures): Promise<boolean> {
  const { store, limitMs = LIMIT_MS } = deps;
  const endsMs = performance.now() + limitMs;
  let failures = 0;
  let isOver = false;

  async function one(customerId: string): Promise<void> {
    try {
      await verifyCustomer(deps, customerId, figures);
      failures = 0;
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'billing/provider-unavailable') {
        // Not reached: the next verification retries this customer.
        failures += 1;
        return;
      }
      deps.log.warn({ customerId, code: error.code }, 'a customer could not be verified');
      figures.failed += 1;
    }
    await store.reached(customerId);
  }

  async function worker(waiting: string[]): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (isOver || failures >= MAX_FAILURES || performance.now() >= endsMs) return;
      await one(id).catch((error: unknown) => {
        isOver = true;
        throw error;
      });
    }
  }

  const verified = new Set<string>();
  for (;;) {
    const waiting = (await store.next(BATCH)).filter((id) => !verified.has(id));
    if (waiting.length === 0) return failures > 0;
    for (const id of waiting) verified.add(id);
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => worker(waiting)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (failures >= MAX_FAILURES) return true;
    if (performance.now() >= endsMs) return false;
  }
}

async function verifyCustomer(
  { sync, store }: VerificationDeps,
  customerId: string,
  figures: VerificationFigures,
): Promise<void> {
  const before = await store.rowsOf(customerId);
  await sync.ofCustomer(customerId);
  const after = await store.rowsOf(customerId);
  figures.checked += after.size;
  for (const [id, row] of after) if (before.get(id) !== row) figures.updated += 1;
}

const UNDER_WAY = 'Another verification is already running. Please try again once it has finished.';

export function verificationHandlers(deps: VerificationDeps): FunctionHandlers<typeof VERIFICATION_FUNCTIONS> {
  return {
    async 'admin-verify-subscriptions'({ caller }) {
      const figures = await verifySubscriptions(deps, caller.userId);
      if (figures === null) throw new AppError('billing/busy', { details: { message: UNDER_WAY } });
      return { ok: true, ...figures };
    },
  };
}
