import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { PUSH_FUNCTIONS } from '#domain/contract/push-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { MOST_PUSH_DEVICES, renewPushSubscriptionSchema } from '#domain/push/push-subscription.ts';
import type { Core } from '../core.ts';
import { asOwner, OWNER } from '../platform/database/database.ts';
import { invalidParameter, onlyMethods } from '../platform/http/calls/http-errors.ts';
import { readJsonBody } from '../platform/http/calls/request-body.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import { isPushEndpoint } from './push-endpoint.ts';
import { queuePush } from './push-store.ts';
import { removeSubscription, renewSubscription, saveSubscription } from './subscription-store.ts';

export interface PushFunctionDeps extends Pick<Core, 'database' | 'clock' | 'limiterOf'> {
  /** False: nothing is sent, and no device can be saved. */
  isPossible: boolean;
  /** See isPushEndpoint. */
  sandboxUrl: string | null;
}

/** Each save adds an address that the server calls. */
const SAVES = { points: 30, perS: 60 * 60 };
/** Enough to test a phone in all its modes. */
const TESTS = { points: 10, perS: 10 * 60 };
/** The user is looking at the device now. */
const TEST_TTL_S = 5 * 60;

export function pushFunctions(deps: PushFunctionDeps): ServerFunction[] {
  const saves = deps.limiterOf(SAVES, 'push-saves');
  const tests = deps.limiterOf(TESTS, 'push-tests');
  const nowIso = () => new Date(deps.clock.nowMs()).toISOString();
  return contractFunctions(PUSH_FUNCTIONS, {
    async 'save-push-subscription'({ body, caller: { userId } }) {
      if (!deps.isPossible) throw new AppError('push/not-possible');
      if (!isPushEndpoint(body.endpoint, deps.sandboxUrl)) throw new AppError('push/bad-endpoint');
      await saves.consume(userId);
      const limits = { most: MOST_PUSH_DEVICES, nowIso: nowIso() };
      const id = await deps.database.transaction(OWNER, (tx) => saveSubscription(tx, { ...body, userId }, limits));
      if (id === null) throw new AppError('push/too-many-devices');
      return { id };
    },
    async 'remove-push-subscription'({ body, caller }) {
      const isRemoved = await removeSubscription(asOwner(deps.database), caller.userId, body.id);
      if (!isRemoved) throw new AppError('push/no-such-device');
    },
    async 'send-test-push'({ body, caller: { userId } }) {
      if (!deps.isPossible) throw new AppError('push/not-possible');
      await tests.consume(userId);
      const queued = await queuePush(asOwner(deps.database), {
        userId,
        deviceId: body.id,
        key: `test ${randomUUID()}`,
        ttlS: TEST_TTL_S,
        nowIso: nowIso(),
        title: 'Notifications work on this device',
        text: 'This is the test you requested. Alerts will look like this.',
        path: '/account/notifications',
      });
      if (queued === 0) throw new AppError('push/no-such-device');
    },
  });
}

export interface PushRenewalDeps extends Pick<Core, 'database' | 'limiterOf'> {
  /** See isPushEndpoint. */
  sandboxUrl: string | null;
  /** The key of one client for rate limits. */
  addressOf(c: Context): string;
}

const PATH = '/push/renewals';
const MAX_BYTES = 8 * 1024;
/** Per address: enough for an office whose browsers all renew at the same time, and far too few to guess 128 bits. */
const RENEWALS = { points: 60, perS: 60 * 60 };

/**
 * POST /push/renewals: a browser's service worker reports that its push service assigned a new address. It has no
 * session. The secret of the former subscription, known only to it and this server, proves that it is the same browser.
 */
export function pushRenewalRoutes({ database, sandboxUrl, limiterOf, addressOf }: PushRenewalDeps): Hono {
  const renewals = limiterOf(RENEWALS, 'push-renewals-per-address');
  return new Hono()
    .post(PATH, async (c) => {
      const body = renewPushSubscriptionSchema.safeParse(await readJsonBody(c.req.raw, MAX_BYTES));
      if (!body.success) throw invalidParameter('body', 'invalid');
      await renewals.consume(addressOf(c));
      const { former, next } = body.data;
      if (!isPushEndpoint(next.endpoint, sandboxUrl)) throw new AppError('push/bad-endpoint');
      if (!(await renewSubscription(asOwner(database), former, next))) throw new AppError('push/no-such-device');
      return c.json({ ok: true }, 200, { 'cache-control': 'no-store' });
    })
    .all(PATH, onlyMethods('POST'));
}
