/**
 * POST /billing/webhook: the provider's events. Trusted by the signature over the raw bytes, worked on once, answered 200
 * whatever their type; 400 for what is not the provider's, 500 for what is to be sent again.
 */
import { Hono } from 'hono';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { onlyMethods } from '../../platform/http/calls/methods.ts';
import { parseJson, readBytes } from '../../platform/http/calls/request-body.ts';
import { within } from '../../platform/within.ts';
import { type PaymentsSource, WEBHOOK_PATH } from '../provider/payments-source.ts';
import { providerFacts } from '../provider/provider-call.ts';
import type { EventStore } from './event-store.ts';
import { type BillingEvent, type EventDeps, readEvent, subjectOf, workOn } from './event-work.ts';

export interface WebhookDeps extends EventDeps {
  source: Pick<PaymentsSource, 'mode' | 'webhookSecrets'>;
  events: EventStore;
}

const MAX_BYTES = 1024 * 1024;
/** How old a signature may be, and how far in the future, which the SDK does not look at. */
const TOLERANCE_S = 300;
/** The provider waits not much longer; the work goes on, and is done when the event comes again. */
const BUDGET_MS = 10_000;
/** After so many failures a person is told. */
const STUCK_AFTER = 5;

export function webhookRoutes(deps: WebhookDeps): Hono {
  const app = new Hono();
  app.post(WEBHOOK_PATH, async (c) => {
    const body = Buffer.from(await readBytes(c.req.raw, MAX_BYTES));
    const event = trusted(body, c.req.header('stripe-signature') ?? '', deps);
    const isDone = (await within(handleEvent(event, deps), BUDGET_MS)) ?? false;
    if (!isDone) return c.json({ error: 'internal' }, 500);
    return c.json({ received: true });
  });
  app.all(WEBHOOK_PATH, onlyMethods('POST'));
  return app;
}

/** @throws AppError `billing/bad-signature` for what was not signed with our secret just now, and for the other mode */
function trusted(body: Buffer, header: string, { stripe, clock, source }: WebhookDeps): BillingEvent {
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
      // Whatever is wrong with it, it is not trusted; which part is told to nobody.
      return false;
    }
  }
}

/** @throws AppError `request/invalid` for a signed body of another shape: it is shown as a failed delivery */
function readTrusted(body: Buffer): BillingEvent {
  try {
    return readEvent(parseJson(body.toString('utf8')));
  } catch (cause) {
    throw isAppError(cause) ? cause : new AppError('request/invalid', { details: { parameter: 'body' }, cause });
  }
}

/** @returns false when it is to be sent again */
export async function handleEvent(event: BillingEvent, deps: WebhookDeps): Promise<boolean> {
  const { events, alarms } = deps;
  const turn = await events.take({
    id: event.id,
    type: event.type,
    isLive: event.livemode,
    createdS: Math.floor(event.created),
    objectId: subjectOf(event),
  });
  // Whoever has it answers for it, and the sweeper for both.
  if (turn !== 'mine') return true;
  try {
    await workOn(event, deps);
    await events.done(event.id);
    return true;
  } catch (error) {
    const code = codeOf(error);
    const attempts = await events.failed(event.id, code);
    if (attempts >= STUCK_AFTER) await alarms.raise('event-stuck', event.id, { type: event.type, attempts, code });
    deps.log.warn({ event: event.id, type: event.type, code, attempts }, 'an event of the payment provider failed');
    if (!isAppError(error)) deps.log.error({ err: error, event: event.id }, 'work on an event failed');
    return false;
  }
}

/** A code or a name, never a message: those may quote anything. */
function codeOf(error: unknown): string {
  const facts = providerFacts(error);
  if (facts !== null) return facts.code ?? facts.type;
  if (isAppError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
