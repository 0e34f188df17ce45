/** Apart from the bodies, which no page builds. Named as resource and what happened to it, as the payments world does. */
export const WEBHOOK_EVENTS = [
  'prediction.created',
  'prediction.resolved',
  'alert.created',
  'forecast.issued',
] as const;
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];
/** Sent only on request, to endpoints of any choice. */
export const TEST_EVENT = 'endpoint.test';
