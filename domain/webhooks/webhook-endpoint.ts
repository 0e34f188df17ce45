/** A webhook endpoint and its deliveries: as their owner writes and sees them. */
import * as z from 'zod/mini';
import { isPlainText } from '../account/plain-text.ts';
import { WEBHOOK_EVENTS } from './webhook-event-names.ts';

/** Per user. */
export const MOST_WEBHOOKS = 5;
/** Longest address of an endpoint. */
const MAX_URL = 500;
/** How long requests carry the signatures of both secrets after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;
/** How long a failing endpoint is tried before it is paused. */
export const FAILING_LIMIT_MS = 24 * 3_600_000;
/** How long deliveries are stored, sent or not. */
export const DELIVERY_RETENTION_MS = 7 * 24 * 3_600_000;
/** Deliveries that wait for one endpoint; further events are dropped and counted. */
export const MOST_WAITING = 1000;

const url = z
  .string()
  .check(z.trim(), z.minLength(1, 'Please enter an address'), z.maxLength(MAX_URL), z.refine(isPlainText));
const events = z.array(z.enum(WEBHOOK_EVENTS)).check(
  z.minLength(1, 'Please choose at least one event'),
  z.refine((chosen) => new Set(chosen).size === chosen.length),
);

/** Body of create-webhook. */
export const createWebhookSchema = z.strictObject({ url, events });
/** Body of update-webhook. */
export const updateWebhookSchema = z.strictObject({ id: z.guid(), url, events });
/** Body of set-webhook-state. */
export const setWebhookStateSchema = z.strictObject({ id: z.guid(), state: z.enum(['active', 'paused']) });
export const webhookIdSchema = z.strictObject({ id: z.guid() });
export const deliveryIdSchema = z.strictObject({ id: z.int().check(z.positive()) });

export const webhookUrlSchema = z.object({ url });

/** A row of webhook_endpoints as its owner sees it; times are ISO 8601. */
export const webhookRowSchema = z.object({
  id: z.guid(),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(['active', 'paused']),
  pause_reason: z.nullable(z.enum(['owner', 'failing', 'closed'])),
  failing_since: z.nullable(z.string()),
  last_delivered_at: z.nullable(z.string()),
  dropped: z.number(),
  former_until: z.nullable(z.string()),
  created_at: z.string(),
});

/** A row of webhook_deliveries as its owner sees it. */
export const deliveryRowSchema = z.object({
  id: z.number(),
  event_id: z.guid(),
  event: z.string(),
  body: z.string(),
  state: z.enum(['waiting', 'delivered', 'skipped']),
  attempts: z.number(),
  created_at: z.string(),
  tried_at: z.nullable(z.string()),
  answer_status: z.nullable(z.number()),
  answer_start: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  took_ms: z.nullable(z.number()),
});

const secret = z.string().check(z.regex(/^whsec_[A-Za-z0-9_-]{43}$/));
/** Responses of create-webhook and rotate-webhook-secret, the only times that a secret is shown. */
export const createdWebhookSchema = z.object({ ok: z.literal(true), id: z.guid(), secret });
export const rotatedSecretSchema = z.object({ ok: z.literal(true), secret });
