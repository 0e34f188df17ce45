import {
  createdWebhookSchema,
  createWebhookSchema,
  deliveryIdSchema,
  rotatedSecretSchema,
  setWebhookStateSchema,
  updateWebhookSchema,
  webhookIdSchema,
} from '../webhooks/webhook-endpoint.ts';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

const URL_EXAMPLE = 'https://hooks.example.com/kat';

export const WEBHOOK_FUNCTIONS = {
  'create-webhook': functionContract({
    body: createWebhookSchema,
    answer: createdWebhookSchema,
    refusals: ['account/address-not-proven', 'webhooks/bad-address', 'webhooks/too-many', 'request/too-many'],
    example: { url: URL_EXAMPLE, events: ['alert.created'] },
    docs: {
      sends:
        '`{url, events}`: a public https address on port 443; at least one of `prediction.created`, `prediction.resolved`, `alert.created`, `forecast.issued`',
      gets: '`{ok, id, secret}`, the only time the secret is shown; emails the owner. 30 changes an hour',
      refused: { 'webhooks/too-many': 'five' },
    },
  }),
  'update-webhook': functionContract({
    body: updateWebhookSchema,
    answer: doneSchema,
    refusals: ['account/address-not-proven', 'webhooks/bad-address', 'webhooks/no-such-endpoint', 'request/too-many'],
    example: { id: EXAMPLE_ID, url: URL_EXAMPLE, events: ['alert.created'] },
    docs: {
      sends: '`{id, url, events}`',
      gets: '`{ok: true}`; a new address starts without the failures of the former one',
    },
  }),
  'remove-webhook': functionContract({
    body: webhookIdSchema,
    answer: doneSchema,
    refusals: ['webhooks/no-such-endpoint'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}`; deletes its deliveries too' },
  }),
  'rotate-webhook-secret': functionContract({
    body: webhookIdSchema,
    answer: rotatedSecretSchema,
    refusals: ['webhooks/no-such-endpoint', 'request/too-many'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok, secret}`; requests carry both signatures for 24 hours' },
  }),
  'set-webhook-state': functionContract({
    body: setWebhookStateSchema,
    answer: doneSchema,
    refusals: ['webhooks/no-such-endpoint', 'request/too-many'],
    example: { id: EXAMPLE_ID, state: 'paused' },
    docs: {
      sends: '`{id, state: "active" or "paused"}`',
      gets: '`{ok: true}`; resuming sends what waits, in order. 30 calls in ten minutes, with the next three',
    },
  }),
  'send-test-webhook': functionContract({
    body: webhookIdSchema,
    answer: doneSchema,
    refusals: ['webhooks/no-such-endpoint', 'webhooks/paused', 'request/too-many'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}` once it is queued' },
  }),
  'resend-webhook-delivery': functionContract({
    body: deliveryIdSchema,
    answer: doneSchema,
    refusals: ['webhooks/no-such-delivery', 'webhooks/paused', 'request/too-many'],
    example: { id: 1 },
    docs: {
      sends: '`{id}`: a number',
      gets: '`{ok: true}`; the same event id is sent again, a waiting delivery immediately',
    },
  }),
  'skip-webhook-delivery': functionContract({
    body: deliveryIdSchema,
    answer: doneSchema,
    refusals: ['webhooks/no-such-delivery', 'request/too-many'],
    example: { id: 1 },
    docs: { sends: '`{id}`: a number', gets: '`{ok: true}`; a waiting delivery leaves the queue' },
  }),
};
