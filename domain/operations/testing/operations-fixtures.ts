/** Operations facts of a healthy site, for tests. A test overrides the facts it needs. */
import type { MarketFeed, OperationsFacts, OperationsJob } from '../operations-state.ts';

export const NOON_MS = Date.UTC(2026, 10, 25, 12);

export function someFacts(changes: Partial<OperationsFacts> = {}): OperationsFacts {
  const none = { count: 0, isMore: false };
  return {
    takenAtMs: NOON_MS,
    process: {
      version: '1.0.0',
      node: 'v24.0.0',
      startedAtMs: NOON_MS - 3_600_000,
      rssMb: 500,
      heapUsedMb: 120,
      eventLoop: { medianMs: 0, p99Ms: 4, maxMs: 20 },
    },
    overload: {
      isShedding: false,
      bookEveryMs: 0,
      utilization: 0.2,
      classes: [{ name: 'call', waiting: 0, oldestMs: 0, admitted: 1200, refused: 0, left: 0 }],
    },
    bus: { kind: 'in-process', isConnected: true, lostSinceMs: null, dropped: 0, isLeading: null },
    database: { kind: 'postgres', latencyMs: 1, nowMs: NOON_MS },
    market: {
      kind: 'live',
      detail: 'binance, okx',
      feeds: [aFeed()],
      store: { waiting: 0, dropped: 0, malformed: 0, failures: 0 },
      book: { source: 'Coinbase Exchange', readers: 2, staleProducts: [], gaps: 0, malformed: 0, refusals: 0 },
    },
    community: { kind: 'live' },
    references: [{ feed: 'fear-greed', kind: 'live', attribution: 'alternative.me', fetchedAtMs: NOON_MS - 60_000 }],
    budgets: [{ feed: 'coingecko', calls: 100, allowance: 10_000 }],
    news: [{ host: 'news.example', lastOkAtMs: NOON_MS, nextDueAtMs: NOON_MS + 600_000, failures: 0, lastError: null }],
    jobs: [aJob()],
    models: [{ name: 'lion', state: 'ready', version: 'v4', reason: null, forecasts: 3, failures: 0, lastMs: 40 }],
    webhooks: { open: none, oldestAtMs: null, mostAttempts: 0, errors: [] },
    payments: { mode: 'test', customers: { count: 12, isMore: false }, openAlarms: none, alarms: [] },
    mail: { isSending: true, waiting: none, oldestAtMs: null, sent: 5, failed: 0, errors: [] },
    chats: {
      kinds: { telegram: 'live', discord: null },
      linked: none,
      paused: none,
      waiting: none,
      dueSinceMs: null,
      sent: 0,
      failed: 0,
      errors: [],
    },
    deliveries: {
      endpoints: none,
      paused: none,
      failing: none,
      waiting: none,
      dueSinceMs: null,
      sent: 0,
      errors: [],
    },
    push: { kind: 'live', devices: none, waiting: none, oldestAtMs: null, sent: 0, failed: 0, errors: [] },
    record: {
      isIssuing: true,
      issued: 3456,
      known: 3300,
      void: 12,
      missed: 24,
      newestAtMs: NOON_MS - 120_000,
      sealedHourS: NOON_MS / 1000 - 2 * 3600,
      signedDay: '2026-11-19',
    },
    backups: { isEnabled: true },
    errors: { lastHour: none },
    ...changes,
  };
}

export function aFeed(changes: Partial<MarketFeed> = {}): MarketFeed {
  return {
    feed: 'candles',
    source: 'binance',
    subject: 'BTC',
    isServing: true,
    lastAtMs: NOON_MS - 30_000,
    ageS: 30,
    failures: 0,
    heldUntilMs: null,
    malformed: 0,
    missing: 0,
    problem: null,
    ...changes,
  };
}

export function aJob(changes: Partial<OperationsJob> = {}): OperationsJob {
  return {
    name: 'billing-sweep',
    isOurs: true,
    isRunning: false,
    leaseEndsAtMs: null,
    nextDueAtMs: NOON_MS + 30_000,
    lastOkAtMs: NOON_MS - 30_000,
    runs: 100,
    failures: 0,
    lastError: null,
    ...changes,
  };
}
