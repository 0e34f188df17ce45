import { expect, test } from 'vitest';
import type { Database, Row } from '../platform/database/database.ts';
import { type SnapshotDeps, sharedSnapshot } from './snapshot.ts';

const none = { count: 0, isMore: false };
const STORED = {
  nowMs: 5,
  jobs: [],
  references: [],
  calls: [{ feed: 'coingecko', calls: 7 }],
  news: [
    { url: 'https://news.example/feed?key=secret', lastOkAtMs: null, nextDueAtMs: 1, failures: 0, lastError: null },
    { url: '/feeds/sample', lastOkAtMs: null, nextDueAtMs: 1, failures: 0, lastError: null },
  ],
  webhooks: { open: none, oldestAtMs: null, mostAttempts: 0, errors: [] },
  payments: { customers: none, openAlarms: none, alarms: [] },
  mail: { waiting: none, oldestAtMs: null, sent: 0, failed: 0, errors: [] },
  chats: { linked: none, paused: none, waiting: none, dueSinceMs: null, sent: 0, failed: 0, errors: [] },
  deliveries: {
    endpoints: none,
    paused: none,
    failing: none,
    waiting: none,
    dueSinceMs: null,
    sent: 0,
    errors: [],
  },
  push: { devices: none, waiting: none, oldestAtMs: null, sent: 0, failed: 0, errors: [] },
  errors: { lastHour: none },
};

const RECORD = {
  issued: 1,
  known: 0,
  void: 0,
  missed: 0,
  newestAtMs: 9,
  sealedHourS: null,
  signedDay: null,
};

/** Counts queries, and fails the one with the number `failing`. */
function world(failing = 0) {
  let questions = 0;
  let nowMs = 0;
  const database: Pick<Database, 'kind' | 'query'> = {
    kind: 'pglite',
    async query<T extends Row>(_caller: unknown, text: string): Promise<T[]> {
      if (text.includes('track_records')) return [{ facts: RECORD } as Row as T];
      if (text.includes('json_build_object')) {
        questions += 1;
        if (questions === failing) throw new Error('the database is away');
      }
      const rows: Row[] = [{ facts: STORED }];
      return rows as T[];
    },
  };
  const figures = { forecasts: 2, failures: 1, lastMs: 40 };
  const deps: SnapshotDeps = {
    database: database as Database,
    clock: { nowMs: () => 1000 },
    process: {
      read: () => ({
        version: '1',
        node: 'v24',
        startedAtMs: 0,
        rssMb: 1,
        heapUsedMb: 1,
        eventLoop: { medianMs: 0, p99Ms: 0, maxMs: 0 },
      }),
      close: () => undefined,
    },
    overload: () => ({ isShedding: false, bookEveryMs: 0, utilization: 0, classes: [] }),
    bus: {
      state: () => ({
        kind: 'nats',
        isConnected: false,
        lostSinceMs: 3,
        dropped: 2,
        reconnects: 1,
        sent: 0,
        received: 0,
        failed: 0,
      }),
      isLeading: () => false,
    },
    market: {
      kind: 'live',
      detail: 'binance',
      bookSource: 'Coinbase',
      state: () => ({ feeds: [], store: null, liveSocket: aBook() }),
    },
    community: { kind: 'live' },
    allowances: { coingecko: 100, youtube: 50 },
    models: {
      registry: {
        states: {
          bobcat: { state: 'disabled', reason: 'altered' },
          panther: { state: 'not-trained' },
          lion: { state: 'not-trained' },
        },
        longer: () => [['5min/lion', { state: 'disabled', reason: 'busy' }]],
      },
      figures: () => ({ bobcat: figures, panther: figures, lion: figures }),
    },
    payments: { mode: 'none' },
    mail: { isSending: false },
    push: { kind: 'off' },
    chats: { kinds: { telegram: null, discord: null } },
    record: { isIssuing: true },
    backups: { isEnabled: false },
  };
  const query = sharedSnapshot(deps, () => nowMs);
  return { query, questions: () => questions, later: (ms: number) => (nowMs += ms) };
}

function aBook(): ReturnType<SnapshotDeps['market']['state']>['liveSocket'] {
  const upstream = {
    connections: 1,
    gaps: 2,
    malformed: 3,
    refusals: 4,
    crossed: 0,
    disagreed: 0,
    unresponsive: 0,
    missing: 0,
    renewed: 0,
  };
  return {
    connections: 6,
    refused: { host: 0, origin: 0, full: 0, address: 0 },
    dismissed: { idle: 0, talkative: 0, silent: 0 },
    leftOut: 0,
    frames: 0,
    snapshots: 0,
    wrongRequests: 0,
    staleProducts: ['BTC-USD'],
    upstream,
  };
}

test('shares one snapshot for two seconds', async () => {
  const { query, questions, later } = world();

  await Promise.all([query(), query()]);
  later(1999);
  await query();
  expect(questions()).toBe(1);
  later(1);
  await query();
  expect(questions()).toBe(2);
});

test('does not share a failed snapshot, and retries on the next request', async () => {
  const { query, questions } = world(1);

  await expect(query()).rejects.toThrow('the database is away');
  await query();

  expect(questions()).toBe(2);
});

test('shows only the host of news feeds, and the spent part of each allowance', async () => {
  const facts = await world().query();

  expect(facts.bus).toEqual({ kind: 'nats', isConnected: false, lostSinceMs: 3, dropped: 2, isLeading: false });
  expect(facts.news.map(({ host }) => host)).toEqual(['news.example', '/feeds/sample']);
  expect(facts.budgets).toEqual([
    { feed: 'coingecko', calls: 7, allowance: 100 },
    { feed: 'youtube', calls: 0, allowance: 50 },
  ]);
  expect(facts.models.find(({ name }) => name === 'bobcat')).toEqual({
    name: 'bobcat',
    state: 'disabled',
    version: null,
    reason: 'altered',
    forecasts: 2,
    failures: 1,
    lastMs: 40,
  });
  expect(facts.models.at(-1)).toEqual({
    name: '5min/lion',
    state: 'disabled',
    version: null,
    reason: 'busy',
    forecasts: 0,
    failures: 0,
    lastMs: null,
  });
  expect(facts.market.book).toEqual({
    source: 'Coinbase',
    readers: 6,
    staleProducts: ['BTC-USD'],
    gaps: 2,
    malformed: 3,
    refusals: 4,
  });
});
