/** What users do with their endpoints. They read endpoints and deliveries through the tables, under row-level security. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import {
  createWebhookSchema,
  deliveryIdSchema,
  setWebhookStateSchema,
  updateWebhookSchema,
  webhookIdSchema,
} from '#domain/webhooks/webhook-endpoint.ts';
import { notifyOwner } from '../backend/auth/mail/security-notices.ts';
import { requireProof } from '../backend/auth/sessions/session-proof.ts';
import type { Core } from '../core.ts';
import { asOwner, OWNER, type Transaction } from '../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../platform/http/calls/server-function.ts';
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
  return [
    /** Answers `{ok, id, secret}`, the only time the secret is shown, and notifies the owner by mail. */
    serverFunction({
      name: 'create-webhook',
      body: createWebhookSchema,
      refusals: ['account/address-not-proven', 'webhooks/bad-address', 'webhooks/too-many', 'request/too-many'],
      async handle({ body, caller }) {
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
        return { ok: true, id, secret };
      },
    }),
    serverFunction({
      name: 'update-webhook',
      body: updateWebhookSchema,
      refusals: ['account/address-not-proven', 'webhooks/bad-address', 'webhooks/no-such-endpoint', 'request/too-many'],
      async handle({ body, caller }) {
        requireReachable(body.url);
        await changes.consume(caller.userId);
        const isChanged = await database.transaction(OWNER, async (tx) => {
          await requireProof(tx, caller);
          return notified(tx, caller.userId, await changeEndpoint(tx, caller.userId, body, clock.nowMs()));
        });
        if (!isChanged) throw new AppError('webhooks/no-such-endpoint');
        return { ok: true };
      },
    }),
    serverFunction({
      name: 'remove-webhook',
      body: webhookIdSchema,
      refusals: ['webhooks/no-such-endpoint'],
      async handle({ body, caller }) {
        if (!(await removeEndpoint(queries, caller.userId, body.id))) throw new AppError('webhooks/no-such-endpoint');
        return { ok: true };
      },
    }),
    /** Answers `{ok, secret}`, the only time it is shown. Requests carry both signatures for a day. */
    serverFunction({
      name: 'rotate-webhook-secret',
      body: webhookIdSchema,
      refusals: ['webhooks/no-such-endpoint', 'request/too-many'],
      async handle({ body, caller }) {
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
        return { ok: true, secret };
      },
    }),
    serverFunction({
      name: 'set-webhook-state',
      body: setWebhookStateSchema,
      refusals: ['webhooks/no-such-endpoint', 'request/too-many'],
      async handle({ body, caller }) {
        await calls.consume(caller.userId);
        const isSet = await setEndpointState(queries, caller.userId, body, clock.nowMs());
        if (!isSet) throw new AppError('webhooks/no-such-endpoint');
        return { ok: true };
      },
    }),
    serverFunction({
      name: 'send-test-webhook',
      body: webhookIdSchema,
      refusals: ['webhooks/no-such-endpoint', 'webhooks/paused', 'request/too-many'],
      async handle({ body, caller: { userId } }) {
        await calls.consume(userId);
        const test = { id: body.id, eventId: randomUUID() };
        requireQueued(
          await database.transaction(OWNER, (tx) => queueTest(tx, userId, test, clock.nowMs())),
          'webhooks/no-such-endpoint',
        );
        return { ok: true };
      },
    }),
    serverFunction({
      name: 'resend-webhook-delivery',
      body: deliveryIdSchema,
      refusals: ['webhooks/no-such-delivery', 'webhooks/paused', 'request/too-many'],
      async handle({ body, caller: { userId } }) {
        await calls.consume(userId);
        requireQueued(
          await database.transaction(OWNER, (tx) => queueAgain(tx, userId, body.id, clock.nowMs())),
          'webhooks/no-such-delivery',
        );
        return { ok: true };
      },
    }),
    serverFunction({
      name: 'skip-webhook-delivery',
      body: deliveryIdSchema,
      refusals: ['webhooks/no-such-delivery', 'request/too-many'],
      async handle({ body, caller: { userId } }) {
        await calls.consume(userId);
        const isSkipped = await database.transaction(OWNER, (tx) => skipDelivery(tx, userId, body.id, clock.nowMs()));
        if (!isSkipped) throw new AppError('webhooks/no-such-delivery');
        return { ok: true };
      },
    }),
  ];
}

function requireQueued(queued: QueuedAgain, unknown: 'webhooks/no-such-endpoint' | 'webhooks/no-such-delivery'): void {
  if (queued === 'unknown') throw new AppError(unknown);
  if (queued === 'paused') throw new AppError('webhooks/paused');
}
