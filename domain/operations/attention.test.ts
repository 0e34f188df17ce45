import { expect, test } from 'vitest';
import { attentionOf, formatDuration, THRESHOLDS } from './attention.ts';
import type { OperationsFacts } from './operations-state.ts';
import { aFeed, aJob, NOON_MS, someFacts } from './testing/operations-fixtures.ts';

const MINUTE_MS = 60_000;
const problems = (changes: Partial<OperationsFacts>) =>
  attentionOf(someFacts(changes)).map((one) => `${one.level}: ${one.text}`);
const { process, overload, market, mail, payments, database } = someFacts();

test('reports nothing for a site that runs well', () => {
  expect(attentionOf(someFacts())).toEqual([]);
});

test.each<[string, Partial<OperationsFacts>, string]>([
  [
    'a disabled model',
    {
      models: [
        {
          name: 'lion',
          state: 'disabled',
          version: null,
          reason: 'a file is altered',
          forecasts: 0,
          failures: 0,
          lastMs: null,
        },
      ],
    },
    'urgent: The model lion is disabled: a file is altered.',
  ],
  [
    'a disabled model without a reason',
    { models: someFacts().models.map((model) => ({ ...model, state: 'disabled', reason: null })) },
    'urgent: The model lion is disabled: no reason given.',
  ],
  [
    'a failing feed of several subjects',
    { market: { ...market, feeds: [aFeed({ feed: 'coin-candles', subject: null, ageS: null, failures: 1 })] } },
    'urgent: Candles for coin-candles from binance are missing.',
  ],
  [
    'candles that are old and fail',
    { market: { ...market, feeds: [aFeed({ ageS: 400, failures: 2, problem: 'status 503' })] } },
    'urgent: Candles for BTC from binance are 6 min old (status 503).',
  ],
  [
    'candles that never came',
    { market: { ...market, feeds: [aFeed({ ageS: null, lastAtMs: null, failures: 1 })] } },
    'urgent: Candles for BTC from binance are missing.',
  ],
  [
    'a feed that fails while its candles are fresh',
    { market: { ...market, feeds: [aFeed({ failures: THRESHOLDS.feedFailures })] } },
    'warning: BTC from binance has failed 3 times in a row.',
  ],
  [
    'another venue in the place of the preferred one',
    {
      market: {
        ...market,
        feeds: [aFeed({ isServing: false, failures: 9, problem: 'no answer' }), aFeed({ source: 'okx' })],
      },
    },
    'note: Candles for BTC come from okx instead of binance (no answer).',
  ],
  [
    'a stale order book while a page reads it',
    { market: { ...market, book: { ...market.book, staleProducts: ['BTC-USD'] } } },
    'warning: The order book for BTC-USD is stale (Coinbase Exchange).',
  ],
  [
    'candles that are not stored',
    { market: { ...market, store: { waiting: 40, dropped: 0, malformed: 0, failures: 3 } } },
    'warning: Candles could not be stored 3 times in a row; 40 are waiting.',
  ],
  [
    'a job that fails again and again',
    { jobs: [aJob({ failures: 3, lastError: 'database/busy' })] },
    'warning: The job billing-sweep has failed 3 times in a row (database/busy).',
  ],
  [
    'a job that no process takes',
    { jobs: [aJob({ nextDueAtMs: NOON_MS - 7 * MINUTE_MS })] },
    'warning: The job billing-sweep has been due for 7 min, and no process has started it.',
  ],
  [
    'a job that was begun and never ended',
    { jobs: [aJob({ isRunning: true, nextDueAtMs: NOON_MS - MINUTE_MS, leaseEndsAtMs: NOON_MS - 6 * MINUTE_MS })] },
    'warning: The job billing-sweep started but never ended: its lease expired 6 min ago.',
  ],
  [
    'payment events that wait',
    {
      webhooks: {
        open: { count: 2, isMore: false },
        oldestAtMs: NOON_MS - 11 * MINUTE_MS,
        mostAttempts: 3,
        errors: [{ code: 'internal', count: 2 }],
      },
    },
    'warning: 2 payment events are waiting, the oldest for 11 min (internal).',
  ],
  [
    'a payment event that waits for an hour',
    {
      webhooks: {
        open: { count: 1, isMore: false },
        oldestAtMs: NOON_MS - 61 * MINUTE_MS,
        mostAttempts: 9,
        errors: [],
      },
    },
    'urgent: 1 payment event is waiting, the oldest for 1 h.',
  ],
  [
    'open alarms of billing',
    {
      payments: {
        ...payments,
        openAlarms: { count: 1, isMore: false },
        alarms: [{ id: '1', kind: 'dispute', subject: 'dp_1', count: 1, firstAtMs: NOON_MS, lastAtMs: NOON_MS }],
      },
    },
    'urgent: 1 billing alarm is open: dispute.',
  ],
  [
    'alarms of several kinds, each kind once',
    {
      payments: {
        ...payments,
        openAlarms: { count: 3, isMore: false },
        alarms: ['dispute', 'refund', 'dispute'].map((kind, i) => ({
          id: `${i}`,
          kind,
          subject: 'dp_1',
          count: 1,
          firstAtMs: NOON_MS,
          lastAtMs: NOON_MS,
        })),
      },
    },
    'urgent: 3 billing alarms are open: dispute, refund.',
  ],
  [
    'several mails without a mail server',
    { mail: { ...mail, isSending: false, waiting: { count: 2, isMore: false }, oldestAtMs: NOON_MS } },
    'warning: 2 emails are waiting, and no mail server is set.',
  ],
  [
    'mails that are not sent',
    { mail: { ...mail, waiting: { count: 10_000, isMore: true }, oldestAtMs: NOON_MS - 20 * MINUTE_MS } },
    'urgent: 10,000 emails or more are waiting, the oldest for 20 min.',
  ],
  [
    'mails without a mail server',
    { mail: { ...mail, isSending: false, waiting: { count: 1, isMore: false }, oldestAtMs: NOON_MS } },
    'warning: 1 email is waiting, and no mail server is set.',
  ],
  [
    'notifications that push services refuse',
    {
      push: {
        ...someFacts().push,
        failed: 5,
        errors: [
          { error: '403', count: 3 },
          { error: 'expired', count: 2 },
        ],
      },
    },
    'warning: 3 notifications were refused in the last 24 hours: push services reject this site’s key.',
  ],
  [
    'chat messages that wait for a valid token',
    {
      chats: {
        ...someFacts().chats,
        errors: [
          { error: '401', count: 4 },
          { error: 'timeout', count: 9 },
        ],
      },
    },
    'warning: 4 chat messages are waiting: a chat service refuses the token of this site’s bot.',
  ],
  [
    'one notification that a push service refuses',
    { push: { ...someFacts().push, failed: 1, errors: [{ error: '401', count: 1 }] } },
    'warning: One notification was refused in the last 24 hours: push services reject this site’s key.',
  ],
  [
    'one chat message that waits for a valid token',
    { chats: { ...someFacts().chats, errors: [{ error: '401', count: 1 }] } },
    'warning: One chat message is waiting: a chat service refuses the token of this site’s bot.',
  ],
  [
    'one webhook request that no process sends',
    {
      deliveries: {
        ...someFacts().deliveries,
        waiting: { count: 1, isMore: false },
        dueSinceMs: NOON_MS - 5 * MINUTE_MS,
      },
    },
    'warning: 1 webhook request is waiting, the longest overdue by 5 min.',
  ],
  [
    'webhook requests that no process sends',
    {
      deliveries: {
        ...someFacts().deliveries,
        waiting: { count: 12, isMore: false },
        dueSinceMs: NOON_MS - 6 * MINUTE_MS,
      },
    },
    'warning: 12 webhook requests are waiting, the longest overdue by 6 min.',
  ],
  [
    'mails that were given up',
    { mail: { ...mail, failed: 2 } },
    'warning: 2 emails failed permanently in the last 24 hours.',
  ],
  [
    'a slow database',
    { database: { ...database, latencyMs: 300.4 } },
    'warning: The database took 300 ms to answer a trivial query.',
  ],
  [
    'a busy process',
    { process: { ...process, eventLoop: { medianMs: 10, p99Ms: 251, maxMs: 900 } } },
    'warning: This process responds slowly: its timers fire up to 251 ms late.',
  ],
  [
    'a process that refuses work',
    { overload: { ...overload, isShedding: true, bookEveryMs: 2000 } },
    'warning: This process is overloaded and is refusing some requests.',
  ],
  [
    'a process that thins order books out',
    { overload: { ...overload, bookEveryMs: 500 } },
    'note: This process is near its capacity: order books are updated at most every 500 ms.',
  ],
  ['much memory', { process: { ...process, rssMb: 1900.2 } }, 'warning: This process uses 1900 MB of memory.'],
  [
    'many errors',
    { errors: { lastHour: { count: 100, isMore: false } } },
    'warning: Pages reported 100 errors in the last hour.',
  ],
  [
    'an allowance that runs out',
    { budgets: [{ feed: 'youtube', calls: 9000, allowance: 10_000 }] },
    'warning: youtube: 9000 of 10000 calls used this month.',
  ],
  [
    'feeds of news that all fail',
    { news: [{ host: 'a.example', lastOkAtMs: null, nextDueAtMs: NOON_MS, failures: 5, lastError: null }] },
    'warning: News feeds failed 5 or more times in a row: a.example (no response).',
  ],
  [
    'a feed of news that fails beside others',
    {
      news: [
        { host: 'a.example', lastOkAtMs: null, nextDueAtMs: NOON_MS, failures: 5, lastError: 'status 500' },
        { host: 'b.example', lastOkAtMs: NOON_MS, nextDueAtMs: NOON_MS, failures: 0, lastError: null },
      ],
    },
    'note: News feeds failed 5 or more times in a row: a.example (status 500).',
  ],
])('says so of %s', (_what, changes, text) => {
  expect(problems(changes)).toEqual([text]);
});

test('reports no old candles of a closed market without a failure', () => {
  expect(problems({ market: { ...market, feeds: [aFeed({ subject: 'MSFT', ageS: 50_000 })] } })).toEqual([]);
});

test('reports no order book without readers', () => {
  expect(problems({ market: { ...market, book: { ...market.book, readers: 0, staleProducts: ['BTC-USD'] } } })).toEqual(
    [],
  );
});

test('lists the worst first', () => {
  const levels = attentionOf(
    someFacts({
      market: { ...market, feeds: [aFeed({ isServing: false }), aFeed({ source: 'okx' })] },
      errors: { lastHour: { count: 500, isMore: true } },
      mail: { ...mail, waiting: { count: 1, isMore: false }, oldestAtMs: NOON_MS - 20 * MINUTE_MS },
    }),
  ).map(({ level }) => level);

  expect(levels).toEqual(['urgent', 'warning', 'note']);
});

test.each([
  ['simulated:fear-greed', 8 * MINUTE_MS, 'of the market that does not serve'],
  ['billing-verify', 8 * MINUTE_MS, 'it has no schedule'],
])('reports %s, late by %i ms, as at rest: %s', (name, lateMs) => {
  expect(problems({ jobs: [aJob({ name, nextDueAtMs: NOON_MS - lateMs })] })).toEqual([]);
});

test('drops a job of former settings after a day; one of ours stays late', () => {
  const job = aJob({ name: 'prediction-outcomes', nextDueAtMs: NOON_MS - 25 * 60 * MINUTE_MS });
  expect(problems({ jobs: [{ ...job, isOurs: false }] })).toEqual([]);
  expect(problems({ jobs: [job] })).toHaveLength(1);
  expect(problems({ jobs: [{ ...job, isOurs: false, nextDueAtMs: NOON_MS - 23 * 60 * MINUTE_MS }] })).toHaveLength(1);
});

test('reports no house forecasts where they are switched off, however they failed before', () => {
  const jobs = [aJob({ name: 'house-forecasts', nextDueAtMs: NOON_MS - 8 * MINUTE_MS, failures: 9 })];

  expect(problems({ jobs, record: { ...someFacts().record, isIssuing: false } })).toEqual([]);
  expect(problems({ jobs })).toHaveLength(1);
});

test('reports a late backup, and none where backups are switched off', () => {
  const jobs = [aJob({ name: 'backup', nextDueAtMs: NOON_MS - 8 * MINUTE_MS })];

  expect(problems({ jobs, backups: { isEnabled: false } })).toEqual([]);
  expect(problems({ jobs })).toHaveLength(1);
});

test('reports no billing sweep where nothing is sold', () => {
  const late = [aJob({ nextDueAtMs: NOON_MS - 8 * MINUTE_MS })];

  expect(problems({ jobs: late, payments: { ...payments, mode: 'none' } })).toEqual([]);
});

test.each([
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 d'],
])('writes %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('reports a broker lost for more than a moment, with what it costs', () => {
  const lost = (ms: number) => ({
    bus: { ...someFacts().bus, kind: 'nats' as const, isConnected: false, lostSinceMs: NOON_MS - ms },
  });
  expect(problems(lost(5000))).toEqual([]);
  expect(problems(lost(130_000))).toEqual([
    'warning: This process can’t reach the others: it lost its connection to the broker 2 min ago.',
  ]);
});
