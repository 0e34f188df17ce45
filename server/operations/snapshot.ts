/** The facts of the operator's view, read on demand and shared by all callers within two seconds. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { type OperationsFacts, operationsFactsSchema } from '#domain/operations/operations-state.ts';
import type { Core } from '../core.ts';
import type { FiguresByModel } from '../forecast/forecast-meter.ts';
import type { ModelRegistry } from '../forecast/models/model-registry.ts';
import type { MarketState } from '../market/market-state.ts';
import { asOwner, type Database, OWNER } from '../platform/database/database.ts';
import type { BusState } from '../platform/processes/bus.ts';
import { jobsOf } from '../platform/processes/job-store.ts';
import type { ProcessMeter } from './process-meter.ts';
import { type Queues, readQueues } from './stores/queue-store.ts';

export interface SnapshotDeps extends Pick<Core, 'database' | 'clock'> {
  process: ProcessMeter;
  overload(): OperationsFacts['overload'];
  /** The connection to this process's peers. */
  bus: { state(): BusState; isLeading(): boolean | null };
  market: { kind: string; detail: string; bookSource: string; state(): MarketState };
  community: { kind: 'live' | 'simulated' };
  /** Calls a month that a feed may make, by its name. */
  allowances: Readonly<Record<string, number>>;
  models: {
    registry: Pick<ModelRegistry, 'states' | 'longer'>;
    figures(): FiguresByModel;
  };
  payments: { mode: 'none' | 'sandbox' | 'test' | 'live' };
  mail: { isSending: boolean };
  push: Pick<OperationsFacts['push'], 'kind'>;
  chats: Pick<OperationsFacts['chats'], 'kinds'>;
  /** What this server is configured to do. */
  record: { isIssuing: boolean };
  backups: { isEnabled: boolean };
}

const SHARED_MS = 2000;

/** @returns a function that reads the facts, at most two seconds old */
export function sharedSnapshot(
  deps: SnapshotDeps,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<OperationsFacts> {
  let last: { facts: Promise<OperationsFacts>; atMs: number } | null = null;
  return () => {
    const atMs = monotonicMs();
    if (last !== null && atMs - last.atMs < SHARED_MS) return last.facts;
    const reading = { facts: takeSnapshot(deps), atMs };
    last = reading;
    reading.facts.catch(() => {
      if (last === reading) last = null;
    });
    return reading.facts;
  };
}

async function takeSnapshot(deps: SnapshotDeps): Promise<OperationsFacts> {
  const { database, clock, community, payments, mail } = deps;
  const beganMs = performance.now();
  await database.query(OWNER, 'select 1 as one');
  const latencyMs = performance.now() - beganMs;
  const takenAtMs = clock.nowMs();
  const queues = await readQueues(database, { mode: payments.mode, community: community.kind, nowMs: takenAtMs });
  const { references, news, webhooks, errors } = queues;
  const ours = jobsOf(database);
  const jobs = queues.jobs.map((job) => ({ ...job, isOurs: ours.has(job.name) }));
  return {
    takenAtMs,
    process: deps.process.read(),
    overload: deps.overload(),
    bus: busFacts(deps),
    database: { kind: database.kind, latencyMs, nowMs: queues.nowMs },
    market: marketFacts(deps.market),
    community: { kind: community.kind },
    references,
    news,
    jobs,
    webhooks,
    errors,
    budgets: budgetsOf(queues, deps.allowances),
    models: modelFacts(deps.models),
    payments: { mode: payments.mode, ...queues.payments },
    mail: { isSending: mail.isSending, ...queues.mail },
    push: { kind: deps.push.kind, ...queues.push },
    deliveries: queues.deliveries,
    chats: { ...deps.chats, ...queues.chats },
    record: { isIssuing: deps.record.isIssuing, ...(await readRecordFacts(database, takenAtMs)) },
    backups: deps.backups,
  };
}

function busFacts({ bus }: Pick<SnapshotDeps, 'bus'>): OperationsFacts['bus'] {
  const { kind, isConnected, lostSinceMs, dropped } = bus.state();
  return { kind, isConnected, lostSinceMs, dropped, isLeading: bus.isLeading() };
}

function marketFacts({ kind, detail, bookSource, state }: SnapshotDeps['market']): OperationsFacts['market'] {
  const { feeds, store, liveSocket } = state();
  const { connections, staleProducts, upstream } = liveSocket;
  return {
    kind,
    detail,
    feeds: [...feeds],
    store,
    book: {
      source: bookSource,
      readers: connections,
      staleProducts: [...staleProducts],
      gaps: upstream.gaps,
      malformed: upstream.malformed,
      refusals: upstream.refusals,
    },
  };
}

function budgetsOf({ calls }: Queues, allowances: SnapshotDeps['allowances']): OperationsFacts['budgets'] {
  return Object.entries(allowances).map(([feed, allowance]) => ({ feed, calls: calls.get(feed) ?? 0, allowance }));
}

type UsedModel = ReturnType<ModelRegistry['longer']>[number];

function modelFacts({ registry, figures }: SnapshotDeps['models']): OperationsFacts['models'] {
  const figuresByModel = figures();
  const { states } = registry;
  const minutes = MODEL_NAMES.map((name): UsedModel => [name, states[name]]);
  return [...minutes, ...registry.longer()].map(([name, entry]) => ({
    name,
    state: entry.state,
    version: entry.state === 'ready' ? entry.model.modelVersion : null,
    reason: entry.state === 'disabled' ? entry.reason : null,
    ...(figuresByModel[name] ?? { forecasts: 0, failures: 0, lastMs: null }),
  }));
}

/** More than a day holds: twelve forecasts every five minutes, as many shadow ones, and stocks during their hours. */
const MOST_RECORDS = 12_000;

const storedSchema = z.omit(operationsFactsSchema.shape.record, { isIssuing: true });
type StoredFacts = z.infer<typeof storedSchema>;

/** @param nowMs  by the product's clock, which dates the records */
export async function readRecordFacts(database: Database, nowMs: number): Promise<StoredFacts> {
  const [row] = await asOwner(database).query<{ facts: unknown }>(QUERY, [nowMs]);
  return storedSchema.parse(row?.facts);
}

const QUERY = `
with newest as materialized (
  select seq, issued_ms from private.track_records where window_min = 0 order by seq desc limit ${MOST_RECORDS}),
day as (
  select s.state from newest n left join private.track_scores s on s.seq = n.seq
   where n.issued_ms > $1::bigint - 86400000)
select json_build_object(
  'issued', (select count(*) from day),
  'known', (select count(*) from day where state = 'known'),
  'void', (select count(*) from day where state = 'void'),
  'missed', (select count(*) from (
    select 1 from private.track_misses where slot_s > $1::bigint / 1000 - 86400
       and market_kind in ('live', 'replayed', 'simulated') and window_min = 0 limit ${MOST_RECORDS}) missed),
  'newestAtMs', (select max(issued_ms) from newest),
  'sealedHourS', (select max(hour_s) from private.track_hours),
  'signedDay', (select max(day)::text from private.track_days)
) as facts`;
