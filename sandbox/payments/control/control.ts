/** `/_control/…`: lets tests delay, drop or break the sandbox's answers and events, and inspect what it received. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { PaymentEngine } from '../engine/payment-engine.ts';
import { announce, named } from '../engine/work.ts';
import { CARD_BEHAVIOURS } from '../model/cards.ts';
import { PaymentRefusal } from '../model/refusal.ts';
import { settingsOf } from '../model/state-store.ts';
import { PLAIN_DELIVERY, type WebhookSender } from '../webhooks/webhooks.ts';
import type { SeenCall } from './fault-injection.ts';
import { faultSchema, type PaymentFaults } from './faults.ts';

const TOKEN_HEADER = 'x-standin-token';
const NEWEST_EVENTS = 200;

export interface ControlOptions {
  engine: PaymentEngine;
  webhooks: WebhookSender;
  faults: PaymentFaults;
  seen: readonly SeenCall[];
  token: string;
}

const modeSchema = z.strictObject({
  mode: z.optional(z.enum(['deliver', 'hold', 'drop'])),
  copies: z.optional(z.int().check(z.gte(1), z.lte(10))),
  order: z.optional(z.enum(['fifo', 'reverse', 'shuffle', 'parallel'])),
  seed: z.optional(z.int()),
  delay_ms: z.optional(z.int().check(z.gte(0), z.lte(600_000))),
  signature: z.optional(z.enum(['ok', 'bad'])),
  age_s: z.optional(z.int()),
});

const clockSchema = z.strictObject({
  advance_s: z.optional(z.int().check(z.gte(0), z.lte(400 * 86_400))),
  default_test_clock: z.optional(z.nullable(z.string())),
});

const settingsSchema = z.strictObject({ after_last_retry: z.enum(['cancel', 'unpaid', 'past_due']) });

const customerSchema = z.strictObject({
  /** Behaviour of all of the customer's cards from now on. */
  card: z.optional(z.enum(CARD_BEHAVIOURS)),
  /** Declines this many next charges, whatever the card would do; null: none. */
  next_declines: z.optional(
    z.nullable(
      z.strictObject({
        reason: z.enum(['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc']),
        times: z.optional(z.int().check(z.gte(1), z.lte(100))),
      }),
    ),
  ),
});

const asyncSchema = z.strictObject({ result: z.enum(['succeeded', 'failed']) });

export function controlRoutes({ engine, webhooks, faults, seen, token }: ControlOptions): Hono {
  const app = new Hono().basePath('/_control');
  app.use(async (c, next) => {
    if (!isSame(c.req.header(TOKEN_HEADER) ?? '', token)) return c.json({ error: { message: 'No token.' } }, 401);
    return next();
  });
  app.post('/faults', async (c) => {
    faults.add(faultSchema.parse(await c.req.json()));
    return c.json({});
  });
  app.get('/faults', (c) => c.json({ faults: faults.left() }));
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json({});
  });
  app.post('/webhooks', async (c) => {
    const modes = modeSchema.parse(await c.req.json());
    const mode = { ...PLAIN_DELIVERY, ...withoutAbsent(modes) };
    webhooks.setMode(mode);
    return c.json(mode);
  });
  app.post('/webhooks/release', async (c) => c.json({ deliveries: await webhooks.release() }));
  // Only the ids: the API's own list has every object of every event.
  app.get('/events', (c) =>
    c.json({
      events: engine.state
        .list('events')
        .slice(-NEWEST_EVENTS)
        .map(({ id }) => id),
    }),
  );
  app.post('/events/:id/resend', async (c) =>
    c.json(await webhooks.resend(named(engine.state, 'events', c.req.param('id'), { what: 'event' }))),
  );
  app.get('/deliveries', (c) => c.json({ deliveries: webhooks.deliveries() }));
  app.get('/requests', (c) => c.json({ requests: seen }));
  app.post('/settings', async (c) => {
    const { after_last_retry } = settingsSchema.parse(await c.req.json());
    engine.perform(({ draft }) => draft.put('settings', { ...settingsOf(draft), afterRetries: after_last_retry }));
    return c.json({ after_last_retry });
  });
  app.post('/customers/:id', async (c) => {
    const { card, next_declines: next } = customerSchema.parse(await c.req.json());
    const id = c.req.param('id');
    engine.perform(({ draft }) => {
      const customer = named(draft, 'customers', id, { what: 'customer' });
      for (const one of draft.list('paymentMethods'))
        if (card !== undefined && one.customer === id)
          draft.put('paymentMethods', { ...one, card: { ...one.card, behaviour: card } });
      if (next === undefined) return;
      const nextDeclines = next === null ? null : { behaviour: next.reason, times: next.times ?? 1 };
      draft.put('customers', { ...customer, nextDeclines });
    });
    return c.json({});
  });
  // Payment that arrives days later. Cards have no such thing, so only the event exists.
  app.post('/checkout_sessions/:id/async_payment', async (c) => {
    const { result } = asyncSchema.parse(await c.req.json());
    engine.perform(({ draft, workFor }) => {
      const session = named(draft, 'sessions', c.req.param('id'), { what: 'checkout.session' });
      announce(workFor(session.customer), `checkout.session.async_payment_${result}`, 'sessions', session.id);
    });
    return c.json({});
  });
  app.post('/clock', async (c) => {
    const { advance_s = 0, default_test_clock } = clockSchema.parse(await c.req.json());
    const settings = engine.perform(({ draft }) => {
      const before = settingsOf(draft);
      if (typeof default_test_clock === 'string')
        named(draft, 'testClocks', default_test_clock, { what: 'test clock' });
      return draft.put('settings', {
        ...before,
        offsetS: before.offsetS + advance_s,
        defaultTestClock: default_test_clock === undefined ? before.defaultTestClock : default_test_clock,
      });
    });
    engine.passTime();
    await webhooks.wake();
    return c.json({ offset_s: settings.offsetS, default_test_clock: settings.defaultTestClock });
  });
  app.notFound((c) => c.json({ error: { message: 'There is no such control.' } }, 404));
  app.onError((error, c) => {
    if (error instanceof PaymentRefusal) return c.json({ error: { message: error.message } }, 400);
    if (error instanceof z.core.$ZodError || error instanceof SyntaxError)
      return c.json({ error: { message: 'The body is invalid.' } }, 400);
    throw error;
  });
  return app;
}

function withoutAbsent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** True for a call, also of the API, that sends the control's token. */
export function holdsControl({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const header = headers[TOKEN_HEADER];
  return typeof header === 'string' && isSame(header, token);
}

function isSame(header: string, token: string): boolean {
  const [a, b] = [Buffer.from(header), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
