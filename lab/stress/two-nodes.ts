/**
 * How much more two server processes carry than one, over one PostgreSQL and one NATS, measured by the cost of each
 * message: if crowd, database and servers share two cores, a clock cannot show the throughput. Each process gets the
 * same load, first alone, then beside the other; two carry 2 x the cost alone / the mean cost beside.
 * `npm run lab -- stress nodes`, with settings SECONDS (60), SOCKETS (2000), STREAMS (200 in each half minute), PAGES (400 a
 * minute) and ROUNDS (3).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { processorMs } from '../../tests/support/run/process-figures.ts';
import { startThrowawayNats } from '../../tests/support/servers/throwaway-nats.ts';
import { type Crowd, startCrowd } from './crowds/crowd-messages.ts';
import { seedSubscribers } from './crowds/load-users.ts';
import { recordVisits, type Visit } from './crowds/recorded-visits.ts';
import { type NodeUnderLoad, startNode } from './node-under-load.ts';

const number = (name: string, byDefault: number): number => Number(process.env[name] ?? byDefault);
const SECONDS = number('SECONDS', 60);
const SOCKETS = number('SOCKETS', 2000);
const STREAMS = number('STREAMS', 200);
const PAGES = number('PAGES', 400);
const ROUNDS = number('ROUNDS', 3);
const WAVE_MS = 30_000;
const SETTLE_MS = 5000;
const BOUND = 1.8;
/** 15 streams a day per user on the largest plan; with two waves more than are counted. */
const USERS = Math.max(STREAMS * 2, Math.ceil((STREAMS * 2 * ROUNDS * 3 * (SECONDS / 30 + 2)) / 15));

const configSchema = z.object({ supabaseAnonKey: z.string() });
const dataDir = mkdtempSync(join(tmpdir(), 'kat-nodes-'));
const undo: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];

/** Of one process. */
interface Cost {
  processorMs: number;
  /** Frames to sockets, candles to streams, answers to requests. */
  messages: number;
}

try {
  const postgres = await startThrowawayPostgres();
  if ('skipped' in postgres) throw new Error(postgres.skipped);
  undo.push(() => postgres.stop());
  const nats = await startThrowawayNats();
  undo.push(() => nats.stop());
  const tokens = await seedSubscribers({ databaseUrl: postgres.url, dataDir }, USERS);
  const market = startCrowd('../market-process.ts', { everyMs: 500 }, null);
  undo.push(() => market.stop());
  const settings = z.record(z.string(), z.string()).parse(await market.ready);
  const env = { ...settings, DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const start = () => startNode({ dataDir, cores: null, env });
  const alone: number[] = [];
  const beside: number[] = [];

  const first = await start();
  undo.push(() => first.stop());
  const visits = await recordVisits(first.url, ['/', '/kat']);
  const share = tokens.length / 2;
  const own = [tokens.slice(0, share), tokens.slice(share)];
  for (let round = 0; round < ROUNDS; round++) alone.push(...costsOf(await load([first], own, visits)));
  const second = await start();
  undo.push(() => second.stop());
  for (let round = 0; round < ROUNDS; round++) beside.push(...costsOf(await load([first, second], own, visits)));

  const [one, two] = [median(alone), median(beside)];
  const carries = Math.round((2 * one * 100) / two) / 100;
  const microseconds = { alone: rounded(alone), beside: rounded(beside) };
  console.log(JSON.stringify({ processorMicrosecondsAMessage: microseconds, carries, bound: BOUND }, null, 2));
  if (carries < BOUND) process.exitCode = 1;
} finally {
  for (const step of undo.reverse()) await step();
}

/** The same load on each, at the same time. */
async function load(
  nodes: readonly NodeUnderLoad[],
  tokens: readonly (readonly string[])[],
  visits: readonly Visit[],
): Promise<Cost[]> {
  const crowds = await Promise.all(nodes.map((node, i) => gather(node, tokens[i] ?? [], visits)));
  try {
    await sleep(SETTLE_MS);
    await Promise.all(crowds.flat().map((crowd) => crowd.figures()));
    const before = nodes.map(({ pid }) => processorMs(pid));
    await sleep(SECONDS * 1000);
    const after = nodes.map(({ pid }) => processorMs(pid));
    return await Promise.all(
      crowds.map(async (own, i) => {
        const figures = await Promise.all(own.map((crowd) => crowd.figures()));
        const failures = figures.flatMap((one) => Object.entries(one.failures));
        if (failures.length > 0) throw new Error(`the load failed: ${JSON.stringify(failures)}`);
        const counts = figures.flatMap(({ counts, times }) => [
          counts.frames ?? 0,
          counts.candles ?? 0,
          ...['documents', 'files', 'calls'].map((name) => times[name]?.count ?? 0),
        ]);
        return {
          processorMs: (after[i] ?? 0) - (before[i] ?? 0),
          messages: counts.reduce((sum, one) => sum + one, 0),
        };
      }),
    );
  } finally {
    for (const crowd of crowds.flat()) crowd.stop();
    await sleep(SETTLE_MS);
  }
}

async function gather(node: NodeUnderLoad, tokens: readonly string[], visits: readonly Visit[]): Promise<Crowd[]> {
  const { supabaseAnonKey: anonKey } = configSchema.parse(await (await fetch(`${node.url}/config.json`)).json());
  const ports = [Number(new URL(node.url).port)];
  const productIds = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];
  const sockets = startCrowd('socket-crowd.ts', { ports, sockets: SOCKETS, productIds, arrivalMs: 4000 }, null);
  const visitors = { ports, anonKey, visits, pagesPerMinute: PAGES, signUpsPerMinute: 0 };
  const streams = { ports, tokens, streams: STREAMS, arrivalMs: 10_000, everyMs: WAVE_MS };
  const crowds = [
    sockets,
    startCrowd('visitor-crowd.ts', visitors, null),
    startCrowd('stream-crowd.ts', streams, null),
  ];
  await Promise.all(crowds.map((crowd) => crowd.ready));
  return crowds;
}

function costsOf(costs: readonly Cost[]): number[] {
  return costs.map(({ processorMs, messages }) => (processorMs * 1000) / messages);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(values: readonly number[]): number[] {
  return values.map((value) => Math.round(value * 10) / 10);
}
