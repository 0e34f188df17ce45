/** What users do with their endpoints. They read endpoints and deliveries through the tables, under row-level security. */

import { randomUUID } from 'node:crypto';
import { WEBHOOK_FUNCTIONS } from '#domain/contract/webhook-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { notifyOwner } from '../backend/auth/mail/security-notices.ts';
import { requireProof } from '../backend/auth/sessions/session-proof.ts';
import type { Core } from '../core.ts';
import { asOwner, OWNER, type Transaction } from '../platform/database/database.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import { addressFault } from '../platform/outbound/guarded-request.ts';
import {
  addEndpoint,
  changeEndpoint,
  type QueuedAgain,
  queueAgain,
  queueTest,
  removeEndpoint,
  rotateSecret,
  setEndpointState,
  skipDelivery,
} from './webhook-endpoint-store.ts';
import { newWebhookSecret } from './webhook-signature.ts';

export interface WebhookFunctionDeps extends Pick<Core, 'database' | 'clock' | 'limiterOf'> {
  /** See addressFault. */
  sandboxUrl: string | null;
  /** False: there is no mail transport. */
  sendsMails: boolean;
}

/** Each change adds an address that the server calls, or emails the owner. */
const CHANGES = { points: 30, perS: 60 * 60 };
/** Tests, repetitions and resumptions: each makes the server call. */
const CALLS = { points: 30, perS: 10 * 60 };

export function webhookFunctions(deps: WebhookFunctionDeps): ServerFunction[] {
  const { database, clock, limiterOf } = deps;
  const queries = asOwner(database);
  const changes = limiterOf(CHANGES, 'webhook-changes');
  const calls = limiterOf(CALLS, 'webhook-calls');
  const requireReachable = (url: string) => {
    if (addressFault(url, deps.sandboxUrl) !== null) throw new AppError('webhooks/bad-address');
  };
  async function notified(tx: Transaction, userId: string, isChanged: boolean): Promise<boolean> {
    if (isChanged && deps.sendsMails)
      await notifyOwner(tx, userId, 'webhook_changed', new Date(clock.nowMs()).toISOString());
    return isChanged;
  }
  return contractFunctions(WEBHOOK_FUNCTIONS, {
    async 'create-webhook'({ body, caller }) {
      requireReachable(body.url);
      await changes.consume(caller.userId);
      const nowMs = clock.nowMs();
      const secret = newWebhookSecret();
      const id = await database.transaction(OWNER, async (tx) => {
        await requireProof(tx, caller);
        const added = await addEndpoint(tx, caller.userId, { ...body, secret }, nowMs);
        if (added === null) throw new AppError('webhooks/too-many');
        if (deps.sendsMails) await notifyOwner(tx, caller.userId, 'webhook_added', new Date(nowMs).toISOString());
        return added;
      });
      return { id, secret };
    },
    async 'update-webhook'({ body, caller }) {
      requireReachable(body.url);
      await changes.consume(caller.userId);
      const isChanged = await database.transaction(OWNER, async (tx) => {
        await requireProof(tx, caller);
        return notified(tx, caller.userId, await changeEndpoint(tx, caller.userId, body, clock.nowMs()));
      });
      if (!isChanged) throw new AppError('webhooks/no-such-endpoint');
    },
    async 'remove-webhook'({ body, caller }) {
      if (!(await removeEndpoint(queries, caller.userId, body.id))) throw new AppError('webhooks/no-such-endpoint');
    },
    async 'rotate-webhook-secret'({ body, caller }) {
      await changes.consume(caller.userId);
      const secret = newWebhookSecret();
      const isRotated = await database.transaction(OWNER, async (tx) => {
        await requireProof(tx, caller);
        return notified(
          tx,
          caller.userId,
          await rotateSecret(tx, caller.userId, { id: body.id, secret }, clock.nowMs()),
        );
      });
      if (!isRotated) throw new AppError('webhooks/no-such-endpoint');
      return { secret };
    },
    async 'set-webhook-state'({ body, caller }) {
      await calls.consume(caller.userId);
      const isSet = await setEndpointState(queries, caller.userId, body, clock.nowMs());
      if (!isSet) throw new AppError('webhooks/no-such-endpoint');
    },
    async 'send-test-webhook'({ body, caller: { userId } }) {
      await calls.consume(userId);
      const test = { id: body.id, eventId: randomUUID() };
      requireQueued(
        await database.transaction(OWNER, (tx) => queueTest(tx, userId, test, clock.nowMs())),
        'webhooks/no-such-endpoint',
      );
    },
    async 'resend-webhook-delivery'({ body, caller: { userId } }) {
      await calls.consume(userId);
      requireQueued(
        await database.transaction(OWNER, (tx) => queueAgain(tx, userId, body.id, clock.nowMs())),
        'webhooks/no-such-delivery',
      );
    },
    async 'skip-webhook-delivery'({ body, caller: { userId } }) {
      await calls.consume(userId);
      const isSkipped = await database.transaction(OWNER, (tx) => skipDelivery(tx, userId, body.id, clock.nowMs()));
      if (!isSkipped) throw new AppError('webhooks/no-such-delivery');
    },
  });
}

function requireQueued(queued: QueuedAgain, unknown: 'webhooks/no-such-endpoint' | 'webhooks/no-such-delivery'): void {
  if (queued === 'unknown') throw new AppError(unknown);
  if (queued === 'paused') throw new AppError('webhooks/paused');
}
