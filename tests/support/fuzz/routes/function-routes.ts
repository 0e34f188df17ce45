/** Server functions beyond forecasts and sessions, each with a friendly client's body. */
import fc from 'fast-check';
import { choice, type FuzzRoute, id } from './route.ts';

const functionRoute = (name: string, body: FuzzRoute['body'] = {}): FuzzRoute => ({
  methods: ['POST'],
  path: `/functions/v1/${name}`,
  body,
  readsToken: true,
});

const endpoint = choice('https://push.example/1', 'http://127.0.0.1/', 'x');
const hook = choice('https://hooks.example.com/1', 'http://127.0.0.1/', 'https://10.0.0.1/', 'x');
const hookEvents = fc.constantFrom<unknown>(['alert.created'], ['forecast.issued', 'x'], [], 'x');
const plan = choice('bobcat', 'lion', 'x');
const sessionId = choice('cs_test_1', 'x');

export const FUNCTION_ROUTES: readonly FuzzRoute[] = [
  functionRoute('list-alerts', { after: fc.nat() }),
  functionRoute('save-alert-rule', { kind: choice('left-band', 'x'), symbol: choice('BTC', 'x') }),
  functionRoute('remove-alert-rule', { id }),
  functionRoute('read-alerts', { upTo: fc.nat() }),
  functionRoute('share-prediction', { id }),
  functionRoute('unshare-prediction', { id }),
  functionRoute('create-api-key', { name: choice('key', '', 'x'.repeat(200)) }),
  functionRoute('revoke-api-key', { id }),
  functionRoute('operations-state', { a: fc.nat() }),
  functionRoute('operations-acknowledge-alarm', { id }),
  functionRoute('save-push-subscription', {
    endpoint,
    keys: fc.constantFrom<unknown>({ p256dh: 'x', auth: 'x' }, null),
  }),
  functionRoute('remove-push-subscription', { endpoint }),
  functionRoute('send-test-push', { endpoint }),
  functionRoute('create-webhook', { url: hook, events: hookEvents }),
  functionRoute('update-webhook', { id, url: hook, events: hookEvents }),
  functionRoute('remove-webhook', { id }),
  functionRoute('create-chat-code', { service: choice('telegram', 'discord', 'x') }),
  functionRoute('update-chat-channel', {
    id,
    kinds: fc.array(choice('band-broken', 'models-disagree', 'x'), { maxLength: 5 }),
    state: choice('active', 'paused', 'x'),
  }),
  functionRoute('unlink-chat-channel', { id }),
  functionRoute('send-test-chat-message', { id }),
  functionRoute('rotate-webhook-secret', { id }),
  functionRoute('set-webhook-state', { id, state: choice('active', 'paused', 'x') }),
  functionRoute('send-test-webhook', { id }),
  functionRoute('resend-webhook-delivery', { id: fc.nat() }),
  functionRoute('skip-webhook-delivery', { id: fc.nat() }),
  functionRoute('stripe-checkout', { plan }),
  functionRoute('stripe-checkout-url', { session_id: sessionId }),
  functionRoute('checkout-confirm', { session_id: sessionId }),
  functionRoute('stripe-bootstrap'),
  functionRoute('billing-portal'),
  functionRoute('preview-invoice', { plan }),
  functionRoute('update-subscription', { plan }),
  functionRoute('cancel-subscription'),
  functionRoute('resume-subscription'),
];
