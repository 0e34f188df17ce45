import {
  removePushSubscriptionSchema,
  savedPushSubscriptionSchema,
  savePushSubscriptionSchema,
  sendTestPushSchema,
} from '../push/push-subscription.ts';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

export const PUSH_FUNCTIONS = {
  'save-push-subscription': functionContract({
    body: savePushSubscriptionSchema,
    answer: savedPushSubscriptionSchema,
    refusals: ['push/not-possible', 'push/bad-endpoint', 'push/too-many-devices', 'request/too-many'],
    example: {
      endpoint: 'https://push.example.com/1',
      keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
      device: 'Firefox on Linux',
    },
    docs: {
      sends: '`{endpoint, keys: {p256dh, auth}, device}`: the browser’s subscription, and a description of the device',
      gets: '`{ok, id}`. The caller’s existing subscription keeps its row; another account’s is transferred. 30 an hour',
      refused: { 'push/bad-endpoint': 'not https, or not public', 'push/too-many-devices': '10' },
    },
  }),
  'remove-push-subscription': functionContract({
    body: removePushSubscriptionSchema,
    answer: doneSchema,
    refusals: ['push/no-such-device'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}`' },
  }),
  'send-test-push': functionContract({
    body: sendTestPushSchema,
    answer: doneSchema,
    refusals: ['push/not-possible', 'push/no-such-device', 'request/too-many'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}` once it is queued; 10 in ten minutes' },
  }),
};
