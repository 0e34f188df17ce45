/** What one address may flood: a route of each class of work, with what let it pass or count as another caller before. */

export interface FloodRequest {
  method?: 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const JSON_BODY = { 'content-type': 'application/json' };
const STREAM = '/stream-kat2?sym=BTCUSDT.P&exc=BINANCE&fbars=50&lkbk=450&ver=213';

export const FLOODS: Readonly<Record<string, FloodRequest>> = {
  call: { path: '/history?sym=BTCUSDT.P&exc=BINANCE&fbars=50&lkbk=450' },
  page: { path: '/pricing' },
  file: { path: '/favicon.svg' },
  'sign-in': {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    headers: JSON_BODY,
    body: JSON.stringify({ email: 'nobody@example.com', password: 'not this one' }),
  },
  stream: { path: STREAM, headers: { authorization: 'Bearer invented' } },
  'resumed stream': { path: STREAM, headers: { authorization: 'Bearer invented', 'last-event-id': '7' } },
  events: { path: '/api/v1/events', headers: { authorization: 'Bearer kat_invented' } },
  ready: { path: '/readyz' },
  webhook: {
    method: 'POST',
    path: '/billing/webhook',
    headers: { ...JSON_BODY, 'stripe-signature': 't=1,v1=00' },
    body: JSON.stringify({ id: 'evt_1', type: 'invoice.paid' }),
  },
  socket: {
    path: '/market/ws',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  },
};
