import { expect, test, vi } from 'vitest';
import type { OperationsFacts } from '#domain/operations/operations-state.ts';
import { aFeed, aJob, someFacts } from '#domain/operations/testing/operations-fixtures.ts';
import type { Database, Row } from '../platform/database/database.ts';
import { METRICS } from './metric-definitions.ts';
import { reportFigures, type SiteFiguresDeps } from './site-figures.ts';

const DEPTHS = { push: 2, outcomes: 3, scores: 4, seals: 5, pushOldestS: 61, votesUp: 6, votesDown: 7 };

/** @returns the exported figures, by `name label=value ...` */
async function reported(
  snapshot: () => Promise<OperationsFacts>,
  feeds: ReturnType<SiteFiguresDeps['market']['state']>['feeds'] = [],
) {
  const query = async <T extends Row>(): Promise<T[]> => {
    const rows: Row[] = [{ facts: DEPTHS }];
    return rows as T[];
  };
  const unused = () => Promise.reject(new Error('not called'));
  const database: SiteFiguresDeps['database'] = {
    kind: 'pglite' as const,
    query,
    transaction: unused,
    listen: unused,
    close: unused,
    pool: () => ({ size: 10, inUse: 9, waiting: 2 }),
  } satisfies Database & SiteFiguresDeps['database'];
  const deps: SiteFiguresDeps = {
    database,
    snapshot,
    clock: { nowMs: () => 5000 },
    process: { read: () => someFacts().process, close: () => undefined },
    overload: () => OVERLOAD,
    market: { state: () => ({ feeds, store: null, liveSocket: NO_READERS }) },
    streams: { figures: () => ({ open: 3, refused: 12 }) },
    bus: {
      state: () => ({
        kind: 'nats',
        isConnected: false,
        lostSinceMs: 1,
        reconnects: 0,
        sent: 0,
        received: 0,
        dropped: 8,
        failed: 0,
      }),
    },
  };
  const figures = new Map<string, number>();
  await reportFigures(deps, (name, value, labels = {}) => {
    const of = Object.entries(labels).map(([key, held]) => ` ${key}=${held}`);
    figures.set(name + of.join(''), value);
    const definition = METRICS.find((one) => one.name === name);
    expect([name, Object.keys(labels)]).toEqual([name, definition?.labels]);
  });
  return figures;
}

const OVERLOAD: OperationsFacts['overload'] = {
  isShedding: true,
  bookEveryMs: 500,
  utilization: 0.9,
  classes: [{ name: 'stream', waiting: 7, oldestMs: 250, admitted: 90, refused: 30, left: 4 }],
};

const NO_READERS = {
  connections: 4,
  leftOut: 0,
  frames: 0,
  snapshots: 0,
  wrongRequests: 0,
  refused: { host: 0, origin: 1, full: 0, address: 0 },
  dismissed: { idle: 0, talkative: 0, silent: 0 },
  staleProducts: ['BTC-USD'],
  upstream: {
    connections: 1,
    gaps: 0,
    malformed: 0,
    refusals: 0,
    crossed: 0,
    disagreed: 0,
    unresponsive: 0,
    missing: 0,
    renewed: 0,
  },
};

test('exports size, age and delay of queues, jobs and feeds', async () => {
  const job = aJob({ name: 'news', runs: 9, failures: 3, lastOkAtMs: 0, isRunning: false });
  const facts = someFacts({ jobs: [job] });
  facts.database.nowMs = job.nextDueAtMs + 90_000;
  facts.mail.oldestAtMs = facts.takenAtMs - 30_000;
  facts.chats.waiting = { count: 3, isMore: false };
  facts.deliveries.waiting = { count: 12, isMore: false };
  facts.deliveries.dueSinceMs = facts.takenAtMs - 4000;

  const figures = await reported(
    async () => facts,
    [
      aFeed({ feed: 'candles', source: 'binance', subject: 'BTC', isServing: true, ageS: 200 }),
      aFeed({ feed: 'candles', source: 'bybit', subject: 'BTC', isServing: false, ageS: 5 }),
      aFeed({ feed: 'candles', source: 'okx', subject: 'ETH', isServing: true, ageS: 30 }),
    ],
  );

  expect(Object.fromEntries(figures)).toMatchObject({
    'kat_job_failures job_name=news': 3,
    'kat_job_runs_total job_name=news': 9,
    'kat_job_overdue_seconds job_name=news': 90,
    'kat_queue_oldest_seconds queue=mail': 30,
    'kat_queue_waiting queue=push': 2,
    'kat_queue_waiting queue=chat': 3,
    'kat_queue_oldest_seconds queue=chat': 0,
    'kat_queue_waiting queue=webhook_deliveries': 12,
    'kat_queue_oldest_seconds queue=webhook_deliveries': 4,
    'kat_queue_waiting queue=seals': 5,
    'kat_queue_oldest_seconds queue=push': 61,
    'kat_votes_counted direction=down': 7,
    'kat_database_sessions state=in_use': 9,
    'kat_feed_age_seconds feed=candles source=binance subject=BTC': 200,
    'kat_candles_late_seconds subject=BTC': 140,
    'kat_candles_late_seconds subject=ETH': 0,
    'kat_live_sockets_refused_total reason=origin': 1,
    kat_live_sockets: 4,
    kat_books_stale: 1,
    kat_bus_connected: 0,
    kat_bus_dropped_total: 8,
    kat_facts_ok: 1,
    kat_loop_utilization: 0.9,
    kat_book_updates_apart_seconds: 0.5,
    'kat_admission_waiting work=stream': 7,
    'kat_admission_oldest_seconds work=stream': 0.25,
    'kat_admission_requests_total work=stream outcome=refused': 30,
    'kat_admission_requests_total work=stream outcome=left': 4,
    kat_forecast_streams: 3,
    kat_forecast_streams_refused_total: 12,
  });
});

test('does not report a running job as overdue until its lease ends', async () => {
  const facts = someFacts({ jobs: [aJob({ name: 'news', isRunning: true, nextDueAtMs: 0, leaseEndsAtMs: 50_000 })] });
  facts.database.nowMs = 40_000;
  expect((await reported(async () => facts)).get('kat_job_overdue_seconds job_name=news')).toBe(0);
  facts.database.nowMs = 51_000;
  expect((await reported(async () => facts)).get('kat_job_overdue_seconds job_name=news')).toBe(1);
});

test.each([
  ['refuses', () => Promise.reject(new Error('away'))],
  ['never answers', () => new Promise<OperationsFacts>(() => undefined)],
])('still exports the process’s own figures in time with a database that %s', async (_, snapshot) => {
  vi.useFakeTimers();
  try {
    const pending = reported(snapshot);
    await vi.advanceTimersByTimeAsync(3000);
    const figures = await pending;

    expect(figures.get('kat_facts_ok')).toBe(0);
    expect(figures.get('kat_process_memory_bytes kind=rss')).toBeGreaterThan(0);
    expect([...figures.keys()].filter((name) => name.startsWith('kat_job_'))).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('reports an untaken job as overdue for days, and omits jobs of former settings', async () => {
  const late = { nextDueAtMs: 0, lastOkAtMs: null };
  const facts = someFacts({
    jobs: [aJob({ name: 'news', ...late }), aJob({ name: 'youtube:old', isOurs: false, ...late })],
  });
  facts.database.nowMs = 3 * 86_400_000;

  const figures = await reported(async () => facts);

  expect(figures.get('kat_job_overdue_seconds job_name=news')).toBe(3 * 86_400);
  expect(figures.has('kat_job_overdue_seconds job_name=youtube:old')).toBe(false);
});

test('omits a job that is switched off', async () => {
  const facts = someFacts({ jobs: [aJob({ name: 'backup', failures: 4 })], backups: { isEnabled: false } });

  const names = [...(await reported(async () => facts)).keys()];

  expect(names.filter((name) => name.startsWith('kat_job'))).toEqual([]);
  facts.backups.isEnabled = true;
  expect((await reported(async () => facts)).get('kat_job_failures job_name=backup')).toBe(4);
});
