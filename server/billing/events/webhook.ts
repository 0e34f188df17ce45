/**
 * POST /billing/webhook: the provider's events. Each is authenticated by the signature over the raw bytes, processed
 * once, and answered 200 whatever its type. 400 rejects forged requests; 500 makes the provider resend.
 */
import { Hono } from 'hono';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { within } from '#domain/time/deadline.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { parseJson, readBytes } from '../../platform/http/calls/request-body.ts';
import { type PaymentsSource, WEBHOOK_PATH } from '../provider/payments-source.ts';
import { type BillingEvent, type EventDeps, handleEvent, readEvent } from './handle-event.ts';

export interface PaymentWebhookDeps extends EventDeps {
  source: Pick<PaymentsSource, 'mode' | 'webhookSecrets'>;
}

const MAX_BYTES = 1024 * 1024;
/** The largest age of a signature, and also how far it may be in the future, which the SDK doesn't check. */
const TOLERANCE_S = 300;
/** The provider doesn't wait much longer; the work continues in the background and is done by the next delivery. */
const BUDGET_MS = 10_000;

export function webhookRoutes(deps: PaymentWebhookDeps): Hono {
  const app = new Hono();
  app.post(WEBHOOK_PATH, async (c) => {
    const body = Buffer.from(await readBytes(c.req.raw, MAX_BYTES));
    const event = verifyEvent(body, c.req.header('stripe-signature') ?? '', deps);
    const isDone = (await within(handleEvent(event, deps), BUDGET_MS)) ?? false;
    if (!isDone) return c.json({ error: 'internal' }, 500);
    return c.json({ received: true });
  });
  app.all(WEBHOOK_PATH, onlyMethods('POST'));
  return app;
}

/** @throws AppError `billing/bad-signature` for a body without a fresh signature by our secret, or of the other mode */
function verifyEvent(body: Buffer, header: string, { stripe, clock, source }: PaymentWebhookDeps): BillingEvent {
  const nowMs = clock.nowMs();
  const stampS = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? Number.NaN);
  if (!(stampS <= nowMs / 1000 + TOLERANCE_S)) throw new AppError('billing/bad-signature');
  if (!source.webhookSecrets.some((secret) => isSigned(secret))) throw new AppError('billing/bad-signature');
  const event = readTrusted(body);
  if (event.livemode !== (source.mode === 'live')) throw new AppError('billing/bad-signature');
  return event;

  function isSigned(secret: string): boolean {
    try {
      stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S, undefined, nowMs);
      return true;
    } catch {
      // Any failure means untrusted; the response doesn't reveal which check failed.
      return false;
    }
  }
}

/** @throws AppError `request/invalid` for a signed body of another shape; the provider shows a failed delivery */
function readTrusted(body: Buffer): BillingEvent {
  try {
    return readEvent(parseJson(body.toString('utf8')));
  } catch (cause) {
    throw isAppError(cause) ? cause : new AppError('request/invalid', { details: { parameter: 'body' }, cause });
  }
}
