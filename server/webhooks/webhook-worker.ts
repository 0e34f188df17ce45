/**
 * Delivers events, in every server process. Two queue workers share the endpoints: one for those that answered quickly at
 * the last try, one for the others, so that a receiver that hangs takes no place from one that does not. A delivery is sent
 * twice only if a process dies after the receiver answered and before that is written; the event's id is the same then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { redact } from '#domain/errors/redact.ts';
import { FAILING_LIMIT_MS } from '#domain/webhooks/webhook-endpoint.ts';
import { queueMail } from '../platform/mail/mail-queue.ts';
import type { GuardedPost } from '../platform/outbound/guarded-post.ts';
import { CallFailed } from '../platform/outbound/guarded-request.ts';
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../platform/queues/queue-worker.ts';
import { type PausedMailSetting, pausedMail } from './paused-mail.ts';
import {
  type FanOutDeps,
  fanOut,
  RETENTION_MS,
  WEBHOOK_CHANNEL,
  type WebhookJob,
  type WebhookTry,
  webhookQueue,
} from './webhook-queue-store.ts';
import { SIGNATURE_HEADER, signatureOf } from './webhook-signature.ts';

export interface WebhookWorkerDeps extends QueueWorkerDeps, FanOutDeps {
  post: GuardedPost;
  mail: PausedMailSetting;
  /** False: there is no mail transport. */
  sendsMails: boolean;
  /** Waits after failed tries in a row. Default: the product's; tests shorten them. */
  waitsMs?: readonly number[];
}

/** Time limit of one call. */
export const POST_LIMIT_MS = 10_000;
/** Characters of an answer in the log of deliveries. */
export const ANSWER_LENGTH = 200;
/** Longer than a call plus recording its result; until it ends, no other process sends this delivery. */
export const WEBHOOK_LEASE_MS = 3 * POST_LIMIT_MS;
/** An answer after this long moves an endpoint to the places of slow ones. */
const SLOW_MS = 1000;
/** A call that lasts this long gives its place to another endpoint, and goes on beside it. */
const PATIENCE_MS = 300;
/** Places per process: of endpoints that answered quickly, of the others, and of calls that gave their place away. */
const PLACES = { prompt: 32, suspect: 128, outlasting: 256 };
/** One endpoint's deliveries in a row, before the next endpoint's turn. */
const ROW = { deliveries: 50, ms: 1000 };
/** Waits after the first, second ... failed try in a row; the last one repeats. */
const WAITS_MS = [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600].map((s) => s * 1000);
/** A receiver may request a later try, but not by more. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Spread at random, so that the endpoints of one broken host are not tried together for ever. */
const SPREAD = 0.1;
/** Calls in progress may continue this long after the stop request. */
const CLOSE_GRACE_MS = 5000;

export async function startWebhookWorker(deps: WebhookWorkerDeps): Promise<QueueWorker> {
  const { clock, log } = deps;
  const queue = webhookQueue(deps.database);
  const outlasting = new Set<Promise<boolean>>();
  const stopping = new AbortController();
  let isStopping = false;

  /** Never rejects. @returns true when the due time of an endpoint is to be read again */
  async function deliverRow(first: WebhookJob): Promise<boolean> {
    const startedMs = performance.now();
    let job: WebhookJob | null = first;
    try {
      for (let sent = 1; job !== null; sent++) {
        const goesOn = !isStopping && sent < ROW.deliveries && performance.now() - startedMs < ROW.ms;
        job = await deliver(job, goesOn);
      }
    } catch (error) {
      // Its lease ends, and it is sent again.
      log.warn({ err: error, endpoint: first.endpointId }, 'the result of a webhook delivery could not be written');
    }
    return true;
  }

  /** @returns the endpoint's next delivery, if this process goes on with it */
  async function deliver(job: WebhookJob, goesOn: boolean): Promise<WebhookJob | null> {
    const startedMs = performance.now();
    const answer = await call(job);
    if (answer === null) {
      await queue.release(job, clock.nowMs());
      return null;
    }
    const tookMs = performance.now() - startedMs;
    const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
    const one: WebhookTry = {
      isDelivered,
      status: answer.status,
      tookMs,
      isSlow: tookMs > SLOW_MS,
      problem: answer.problem ?? (isDelivered ? null : problemOf(answer.status ?? 0)),
      answerStart: answer.start === '' ? null : redact(answer.start, ANSWER_LENGTH),
    };
    const about = { delivery: job.deliveryId, event: job.event, attempt: job.attempts + 1, status: one.status };
    const nowMs = clock.nowMs();
    if (isDelivered) {
      const leaseEndsMs = goesOn && !one.isSlow ? nowMs + WEBHOOK_LEASE_MS : null;
      const note = () => queue.noteDelivered(job, one, nowMs, leaseEndsMs);
      // Tried twice, so that a database that has just restarted does not cause a second send.
      const next = await note().catch(note);
      log.debug(about, 'webhook delivered');
      return next;
    }
    const failed = { ...about, problem: one.problem };
    const nextTryMs = nextTry(job, nowMs, { waitsMs: deps.waitsMs ?? WAITS_MS, retryAfterMs: answer.retryAfterMs });
    if (nextTryMs !== null && one.status !== 410) {
      log.debug({ ...failed, nextTryInS: (nextTryMs - nowMs) / 1000 }, 'webhook not delivered yet, retrying later');
      await queue.noteFailed(job, one, nowMs, nextTryMs);
      return null;
    }
    log.info({ ...failed, endpoint: job.endpointId }, 'webhook endpoint paused');
    const reason = one.status === 410 ? 'closed' : 'failing';
    await queue.pause(job, one, nowMs, reason, async (tx, { userId, address, waiting }) => {
      if (address === null || !deps.sendsMails) return;
      const mail = pausedMail(address, { url: job.url, reason, waiting }, deps.mail);
      await queueMail(tx, mail, { userId, nowIso: new Date(nowMs).toISOString() });
    });
    return null;
  }

  /** Null if it was broken off because this process stops. */
  async function call({ url, body, eventId, event, secret, formerSecret, formerUntilMs }: WebhookJob) {
    const nowMs = clock.nowMs();
    const hasFormer = formerSecret !== null && formerUntilMs !== null && formerUntilMs > nowMs;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Kat-Webhooks/1',
      'kat-event-id': eventId,
      'kat-event-type': event,
      [SIGNATURE_HEADER]: signatureOf(body, hasFormer ? [secret, formerSecret] : [secret], nowMs),
    };
    try {
      return { ...(await deps.post(url, { headers, body, signal: stopping.signal })), problem: null };
    } catch (error) {
      if (stopping.signal.aborted) return null;
      // Any other error is a bug. Its text may hold anything, so it is neither stored nor logged.
      const problem = error instanceof CallFailed ? error.message : 'unknown fault';
      return { status: null, start: '', retryAfterMs: null, problem };
    }
  }

  /** Gives the place away once a call takes long, unless too many do. */
  async function deliverPrompt(job: WebhookJob): Promise<boolean> {
    const row = deliverRow(job);
    const isDone = await Promise.race([row.then(() => true), sleep(PATIENCE_MS, false, { ref: false })]);
    if (isDone || outlasting.size >= PLACES.outlasting) return row;
    outlasting.add(row);
    void row.finally(() => outlasting.delete(row));
    return false;
  }

  const shared = { channel: WEBHOOK_CHANNEL, leaseMs: WEBHOOK_LEASE_MS, retentionMs: RETENTION_MS };
  const prompt = await startQueueWorker(
    {
      ...shared,
      name: 'webhook',
      maxUnderWay: PLACES.prompt,
      handle: deliverPrompt,
      queue: {
        async claim(count, nowMs, leaseEndsMs) {
          await fanOut(deps, nowMs);
          return queue.claim(count, nowMs, leaseEndsMs, false);
        },
        nextDueMs: () => queue.nextDueMs(false),
        removeOld: (beforeMs) => queue.removeOld(beforeMs),
      },
    },
    deps,
  );
  const suspect = await startQueueWorker(
    {
      ...shared,
      name: 'slow webhook',
      maxUnderWay: PLACES.suspect,
      handle: deliverRow,
      queue: {
        claim: (count, nowMs, leaseEndsMs) => queue.claim(count, nowMs, leaseEndsMs, true),
        nextDueMs: () => queue.nextDueMs(true),
        removeOld: async () => 0,
      },
    },
    deps,
  );
  return {
    async close() {
      isStopping = true;
      const breakOff = setTimeout(() => stopping.abort(), CLOSE_GRACE_MS);
      await Promise.all([prompt.close(), suspect.close()]);
      await Promise.all(outlasting);
      clearTimeout(breakOff);
    },
  };
}

function problemOf(status: number): string {
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** Null: the endpoint has failed for a day. The last try is at the day's end. */
function nextTry(
  { failures, failingSinceMs }: WebhookJob,
  nowMs: number,
  { waitsMs, retryAfterMs }: { waitsMs: readonly number[]; retryAfterMs: number | null },
): number | null {
  const endMs = (failingSinceMs ?? nowMs) + FAILING_LIMIT_MS;
  if (nowMs >= endMs) return null;
  const usualMs = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0;
  const waitMs = Math.max(usualMs * (1 + SPREAD * Math.random()), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return Math.min(nowMs + waitMs, endMs);
}
