import * as z from 'zod/mini';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import {
  createdWebhookSchema,
  deliveryRowSchema,
  rotatedSecretSchema,
  webhookRowSchema,
} from '#domain/webhooks/webhook-endpoint.ts';
import type { WebhookEventName } from '#domain/webhooks/webhook-event-names.ts';
import { webhookProblem } from '#domain/webhooks/webhook-messages.ts';
import { reportedCalls } from '../../../platform/calls/reported-calls.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { supabase } from '../../../platform/supabase.ts';

export type Webhook = z.infer<typeof webhookRowSchema>;
export type Delivery = z.infer<typeof deliveryRowSchema>;

const DELIVERIES_SHOWN = 20;
const { call, act } = reportedCalls('change webhooks', webhookProblem);

/** Oldest first. @throws Error, including when the server does not answer in time */
export function fetchWebhooks(userId: string, signal: AbortSignal): Promise<Webhook[]> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await supabase())
      .from('webhook_endpoints')
      .select('id,url,events,state,pause_reason,failing_since,last_delivered_at,dropped,former_until,created_at')
      .eq('user_id', userId)
      .order('created_at')
      .retry(false)
      .abortSignal(limited);
    if (error) throw new Error(`Webhooks: ${error.message}`, { cause: error });
    return z.array(webhookRowSchema).parse(data);
  });
}

/** Newest first. @throws Error, including when the server does not answer in time */
export function fetchDeliveries(endpointId: string, signal: AbortSignal): Promise<Delivery[]> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await supabase())
      .from('webhook_deliveries')
      .select('id,event_id,event,body,state,attempts,created_at,tried_at,answer_status,answer_start,problem,took_ms')
      .eq('endpoint_id', endpointId)
      .order('id', { ascending: false })
      .limit(DELIVERIES_SHOWN)
      .retry(false)
      .abortSignal(limited);
    if (error) throw new Error(`Deliveries: ${error.message}`, { cause: error });
    return z.array(deliveryRowSchema).parse(data);
  });
}

/** @returns the secret, which the server shows only once */
export function createWebhook(url: string, events: WebhookEventName[]): Promise<{ secret: string } | ReportedProblem> {
  return call('create-webhook', { url, events }, createdWebhookSchema);
}

/** @returns the new secret, which the server shows only once */
export function rotateSecret(id: string): Promise<{ secret: string } | ReportedProblem> {
  return call('rotate-webhook-secret', { id }, rotatedSecretSchema);
}

export type WebhookAction =
  | { name: 'update-webhook'; body: { id: string; url: string; events: WebhookEventName[] } }
  | { name: 'set-webhook-state'; body: { id: string; state: Webhook['state'] } }
  | { name: 'remove-webhook' | 'send-test-webhook'; body: { id: string } }
  | { name: 'resend-webhook-delivery' | 'skip-webhook-delivery'; body: { id: number } };

/** @returns null on success */
export function callWebhookAction({ name, body }: WebhookAction): Promise<ReportedProblem | null> {
  return act(name, body);
}
