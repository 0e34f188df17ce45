import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../../../tests/support/run/opened-for-tests.ts';
import { openedDialect } from '../../testing/opened-dialect.ts';
import { alpacaDialect } from './alpaca.ts';

const KEY = { 'apca-api-key-id': 'sandbox', 'apca-api-secret-key': 'sandbox' };
const BARS = '/v2/stocks/bars?symbols=MSFT&timeframe=1Min&feed=iex';
const pageSchema = z.object({
  bars: z.object({ MSFT: z.optional(z.array(z.looseObject({ t: z.string() }))) }),
  next_page_token: z.nullable(z.string()),
});

const opened = openedForTests(() => openedDialect(alpacaDialect));

/** Minutes of 12 November in UTC, by page. */
function pages(query: string): string[][] {
  const found: string[][] = [];
  for (let token: string | null = ''; token !== null; ) {
    const page = pageSchema.parse(opened().get(`${BARS}${query}${token && `&page_token=${token}`}`, KEY).body);
    found.push((page.bars.MSFT ?? []).map(({ t }) => t.slice(11, 16)));
    token = page.next_page_token;
  }
  return found;
}

test('gives closed bars by page, oldest first, from the start of the day until now', () => {
  const minutes = pages('&limit=25');

  expect(minutes.map(({ length }) => length)).toEqual([25, 25, 10]);
  const all = minutes.flat();
  expect([all[0], all.at(-1), new Set(all).size]).toEqual(['14:30', '15:29', 60]);
  expect(all).toEqual(all.toSorted());
});

test('gives bars by page, newest first, within the wanted times', () => {
  const minutes = pages('&limit=4&sort=desc&start=2025-11-12T15:00:00Z&end=2025-11-12T15:05:59Z');

  expect(minutes).toEqual([
    ['15:05', '15:04', '15:03', '15:02'],
    ['15:01', '15:00'],
  ]);
});

test('gives no bars, and no list of them, where there are none', () => {
  const none = { status: 200, body: { bars: {}, next_page_token: null } };

  expect(opened().get(`${BARS}&start=2025-11-12T02:00:00Z&end=2025-11-12T03:00:00Z`, KEY)).toEqual(none);
  expect(opened().get(BARS.replace('MSFT', 'NONE'), KEY)).toEqual(none);
});

test.each([
  ['/v2/stocks/trades', 404, 'endpoint not found.'],
  ['/v2/stocks/bars', 400, 'symbols is required'],
  ['/v2/stocks/bars?symbols=MSFT,AAPL', 400, 'the sandbox supports one symbol per call'],
  [BARS.replace('1Min', '7Min'), 400, 'invalid timeframe'],
  [BARS.replace('feed=iex', 'feed=sip'), 403, 'subscription does not permit querying recent SIP data'],
  [BARS.replace('&feed=iex', ''), 403, 'subscription does not permit querying recent SIP data'],
  [`${BARS}&limit=0`, 400, 'invalid limit'],
  [`${BARS}&limit=10001`, 400, 'invalid limit'],
  [`${BARS}&limit=1.5`, 400, 'invalid limit'],
  [`${BARS}&start=yesterday`, 400, 'invalid start or end'],
  [`${BARS}&end=yesterday`, 400, 'invalid start or end'],
  [`${BARS}&page_token=%21`, 400, 'invalid page_token'],
  [`${BARS}&page_token==abc`, 400, 'invalid page_token'],
  [`${BARS}&page_token=${btoa('MSFT|M|')}`, 400, 'invalid page_token'],
  [`${BARS}&page_token=${btoa('MSFT|M|later')}`, 400, 'invalid page_token'],
])('refuses %s with %i', (target, status, message) => {
  expect(opened().get(target, KEY)).toEqual({ status, body: { message } });
});

test.each([
  ['none', {}],
  ['a wrong id', { ...KEY, 'apca-api-key-id': 'other' }],
  ['a wrong secret', { ...KEY, 'apca-api-secret-key': 'other' }],
])('refuses a caller with a key: %s', (_what, headers) => {
  expect(opened().get(BARS, headers)).toEqual({ status: 403, body: { message: 'forbidden.' } });
});
