/**
 * POST /push/renewals: a browser's service worker reports that its push service assigned a new address. It has no
 * session. The secret of the former subscription, known only to it and this server, proves that it is the same browser.
 */
import { type Context, Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { renewPushSubscriptionSchema } from '#domain/push/push-subscription.ts';
import { asOwner, type Database } from '../database/database.ts';
import { invalidParameter } from '../http/calls/invalid-parameter.ts';
import { onlyMethods } from '../http/calls/methods.ts';
import { readJsonBody } from '../http/calls/request-body.ts';
import type { RateLimiterOf } from '../http/guards/rate-limit.ts';
import { isPushEndpoint } from './push-endpoint.ts';
import { renewSubscription } from './subscription-store.ts';

export interface PushRenewalDeps {
  database: Database;
  /** See isPushEndpoint. */
  sandboxUrl: string | null;
  limiterOf: RateLimiterOf;
  /** The key of one client for rate limits. */
  addressOf(c: Context): string;
}

const PATH = '/push/renewals';
const MAX_BYTES = 8 * 1024;
/** Per address: enough for an office whose browsers all renew at the same time, and far too few to guess 128 bits. */
const RENEWALS = { points: 60, perS: 60 * 60 };

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
