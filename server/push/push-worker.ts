/**
 * Sends queued notifications, in every server process. One is sent twice only if a process dies after the push service
 * accepted it and before that is recorded; the browser then replaces the first copy.
 */
import type { PushMessage } from '#domain/push/push-message.ts';
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../platform/queues/queue-worker.ts';
import { type ClaimedPush, PUSH_CHANNEL, type PushSubscription, pushQueue } from './push-store.ts';

export interface PushWorkerDeps extends QueueWorkerDeps {
  /** Null: nothing is sent, and queued notifications fail. */
  transport: PushTransport | null;
}

/** Waits between tries unless the push service requests another; after the last one the notification has failed. */
export const PUSH_RETRY_WAITS_MS = [5000, 30_000, 120_000, 600_000] as const;
/** Sends in progress at the same time, per process. */
const MAX_UNDER_WAY = 8;
const SEND_LIMIT_MS = 20_000;
/** Longer than a try plus recording its result. */
export const PUSH_LEASE_MS = 3 * SEND_LIMIT_MS;
export const PUSH_RETENTION_MS = 7 * 24 * 3_600_000;

export function startPushWorker(deps: PushWorkerDeps): Promise<QueueWorker> {
  const { transport, clock, log } = deps;
  const queue = pushQueue(deps.database);

  /** Never rejects. @returns true when it was put back */
  async function send(push: ClaimedPush, stopping: AbortSignal): Promise<boolean> {
    const about = { push: push.id, attempt: push.attempts };
    try {
      await sendOnce(push, stopping);
    } catch (error) {
      return afterFailure(push, error, stopping).catch((cause: unknown) => {
        log.warn({ ...about, err: cause }, 'a notification could not be put back in the queue');
        return true;
      });
    }
    log.info(about, 'notification sent');
    // Tried twice, so that a database that has just restarted does not cause a second send.
    await markSent(push)
      .catch(() => markSent(push))
      .catch((error: unknown) =>
        log.error({ ...about, err: error }, 'a sent notification could not be marked as sent'),
      );
    return false;
  }

  const markSent = (push: ClaimedPush) => queue.markSent(push, clock.nowMs());

  async function sendOnce({ id, subscription, title, text, path, expiresMs }: ClaimedPush, stopping: AbortSignal) {
    if (transport === null) throw new PushNotSent('no push transport', 'refused');
    const ttlS = Math.floor((expiresMs - clock.nowMs()) / 1000);
    if (ttlS <= 0) throw new PushNotSent('expired', 'refused');
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(SEND_LIMIT_MS)]);
    await transport.send(subscription, { id, title, text, path }, { ttlS, signal });
  }

  async function afterFailure(push: ClaimedPush, error: unknown, stopping: AbortSignal): Promise<boolean> {
    const about = { push: push.id, attempt: push.attempts };
    // Any other error is a bug. Its text may hold anything, so it is neither stored nor logged.
    const { message: reason, failure, retryAfterMs } = error instanceof PushNotSent ? error : UNKNOWN_FAULT;
    if (failure === 'gone') {
      log.info({ ...about, reason }, 'removing an expired device and its waiting notifications');
      await queue.removeDevice(push.subscription.id);
      return false;
    }
    const waitMs = PUSH_RETRY_WAITS_MS[push.attempts - 1];
    const nextTryMs = clock.nowMs() + (stopping.aborted ? 0 : (retryAfterMs ?? waitMs ?? 0));
    if (failure === 'refused' || waitMs === undefined || nextTryMs >= push.expiresMs) {
      log.warn({ ...about, reason }, 'notification failed permanently');
      await queue.giveUp(push, reason);
      return false;
    }
    log.info(
      { ...about, reason, nextTryInS: (nextTryMs - clock.nowMs()) / 1000 },
      'notification not sent yet, retrying later',
    );
    await queue.putBack(push, nextTryMs, reason);
    return true;
  }

  return startQueueWorker(
    {
      name: 'notification',
      channel: PUSH_CHANNEL,
      queue,
      handle: send,
      maxUnderWay: MAX_UNDER_WAY,
      leaseMs: PUSH_LEASE_MS,
      retentionMs: PUSH_RETENTION_MS,
    },
    deps,
  );
}

const UNKNOWN_FAULT = { message: 'unknown fault', failure: 'later', retryAfterMs: null } as const;

export interface PushTransport {
  /** @throws PushNotSent */
  send(
    subscription: PushSubscription,
    message: PushMessage,
    options: { ttlS: number; signal: AbortSignal },
  ): Promise<void>;
}

/**
 * `gone`: the browser dropped this subscription. `refused`: it would be refused again. `later`: a retry may succeed.
 */
export type PushFailure = 'gone' | 'refused' | 'later';

export class PushNotSent extends Error {
  override readonly name = 'PushNotSent';
  readonly failure: PushFailure;
  /** As requested by the push service; null if it requests nothing. */
  readonly retryAfterMs: number | null;

  /** @param reason  a code only, without addresses or the service's text, because it is stored and logged */
  constructor(reason: string, failure: PushFailure, retryAfterMs: number | null = null) {
    super(reason);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}
