/** Every route of the server, with a friendly client's values: hostile requests start from these. */
import fc from 'fast-check';
import { AUTH_ROUTES } from './auth-routes.ts';
import { CONTRACT_ROUTES } from './contract-routes.ts';
import { FUNCTION_ROUTES } from './function-routes.ts';
import { MARKET_ROUTES } from './market-routes.ts';
import { RECORD_ROUTES } from './record-routes.ts';
import { choice, email, type FuzzRoute, id, VICTIM_ID } from './route.ts';
import { TABLE_ROUTES } from './table-routes.ts';

/** Which shape errors have: see judge.ts. */
export type Protocol = 'auth' | 'rest' | 'storage' | 'own' | 'mcp' | 'exchange' | 'page';

const storage = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/storage/v1${path}`,
  ...more,
});

const STORAGE: readonly FuzzRoute[] = [
  storage('GET', '/bucket', { readsToken: true }),
  storage('GET POST PUT DELETE', '/bucket/{name}', { body: { id: choice('x'), public: fc.boolean() } }),
  storage('POST PUT', '/object/avatars/@attacker.id@/{name}.png', { isUpload: true, readsToken: true, weight: 4 }),
  storage('POST PUT', '/object/avatars/@victim.id@/{name}.png', { isUpload: true, readsToken: true }),
  storage('POST', '/object/{name}/{name}', { isUpload: true }),
  storage('GET HEAD', '/object/public/avatars/{name}'),
  storage('GET HEAD', '/object/public/avatars/@victim.id@/{name}'),
  storage('GET HEAD', '/object/authenticated/avatars/@victim.id@/{name}', { readsToken: true }),
  storage('GET', '/object/info/avatars/{name}', { readsToken: true }),
  storage('GET', '/object/info/public/avatars/{name}'),
  storage('POST', '/object/list/avatars', {
    readsToken: true,
    body: {
      prefix: choice('', VICTIM_ID, '../'),
      search: choice('', '%'),
      limit: fc.nat(200),
      offset: fc.nat(10),
      sortBy: fc.constantFrom<unknown>({ column: 'name', order: 'asc' }, { column: 'owner' }),
    },
  }),
  storage('DELETE', '/object/avatars', {
    readsToken: true,
    body: { prefixes: fc.array(choice(`${VICTIM_ID}/1.png`, 'x')) },
  }),
  storage('DELETE', '/object/avatars/@victim.id@/1.png', { readsToken: true, weight: 1 }),
  storage('POST', '/object/{name}', { body: { bucketId: choice('avatars'), sourceKey: id }, weight: 1 }),
  storage('GET POST', '/{name}/{name}', { weight: 1 }),
];

const own = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path,
  ...more,
});

const OWN: readonly FuzzRoute[] = [
  own('POST', '/functions/v1/{name}'),
  own('POST', '/discord/interactions', { body: { id: choice('1', ''), type: fc.constantFrom(1, 2, 9) } }),
  own('POST', '/push/renewals', {
    body: {
      former: fc.record({ endpoint: choice('https://push.example/1', 'x'), auth: choice('a'.repeat(22), '') }),
      next: fc.record({
        endpoint: choice('https://push.example/2', 'https://127.0.0.1/', 'x'),
        keys: fc.record({ p256dh: choice('b'.repeat(87), ''), auth: choice('c'.repeat(22)) }),
      }),
    },
  }),
  own('GET', '/forecast/{name}', { weight: 1 }),
  own('POST POST GET DELETE', '/mcp', {
    readsKey: true,
    body: {
      jsonrpc: choice('2.0', '1.0'),
      id: fc.oneof(fc.nat(), choice('1')),
      method: choice('tools/call', 'tools/call', 'tools/list', 'initialize', 'subscriptions/listen', 'x'),
      params: fc.record({
        name: choice('list_markets', 'get_latest_forecast', 'get_forecast', 'list_my_predictions', 'x'),
        arguments: fc.oneof(fc.constant({}), fc.record({ id }), fc.record({ query: choice('btc', '%') })),
      }),
    },
  }),
  own('GET', '/dev/clock', { weight: 1 }),
  // Never a valid number: it would move the clock for every other request.
  own('POST', '/dev/clock', { body: { offsetMs: choice('0', 'x') } }),
  own('GET', '/dev/mailbox', { weight: 1 }),
  own('GET', '/dev/mailbox.json', { query: { to: email }, weight: 1 }),
  own('GET', '/dev/mailbox/mails/{id}', { weight: 1 }),
  own('GET', '/dev/push', { weight: 1 }),
  own('GET', '/dev/push.json', { weight: 1 }),
  own('POST', '/dev/push/subscriptions', { body: { publicKey: choice('', 'x'.repeat(87)) }, weight: 1 }),
  ...['/dev/telegram', '/dev/discord'].flatMap((page) => [
    own('GET', page, { weight: 1 }),
    own('GET', `${page}.json`, { weight: 1 }),
    own('POST', `${page}/messages`, { body: { conversation: choice('1', ''), text: choice('/start', '') }, weight: 1 }),
    own('POST', `${page}/reach`, { body: { conversation: choice('1', ''), reach: choice('open', 'x') }, weight: 1 }),
  ]),
  own('GET', '/dev/{name}', { weight: 1 }),
  own('GET', '/{name}', { weight: 1 }),
  own('GET', '/assets/{name}', { weight: 1 }),
];

export const ROUTES: readonly FuzzRoute[] = [
  ...AUTH_ROUTES,
  ...TABLE_ROUTES,
  ...STORAGE,
  ...OWN,
  ...CONTRACT_ROUTES,
  ...FUNCTION_ROUTES,
  ...RECORD_ROUTES,
  ...MARKET_ROUTES,
];

const API =
  /^\/(auth\/v1|rest|storage|functions|history|stream-kat2|forecast|record|push|api\/v1|dev|healthz|readyz|metrics|config\.json)(\/|$|\.json)/;
const EXCHANGE = /^\/(products\/[^/]+\/candles|0\/public\/OHLC|api\/v3\/(global|coins\/markets)|fng)\/?$/;

/** @param path  as the server reads it, with dots resolved */
export function protocolOf(path: string): Protocol {
  if (/^\/auth\/v1(\/|$)/.test(path)) return 'auth';
  if (/^\/rest\/v1(\/|$)/.test(path)) return 'rest';
  if (/^\/storage\/v1(\/|$)/.test(path)) return 'storage';
  if (EXCHANGE.test(path)) return 'exchange';
  if (/^\/mcp(\/|$)/.test(path)) return 'mcp';
  return API.test(path) ? 'own' : 'page';
}
