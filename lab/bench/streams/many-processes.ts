/**
 * Three whole server processes over one PostgreSQL, one NATS and one market: how long the others' readers have no
 * prices when the process that reads the market is killed, how much later they see a price than the leader's own
 * readers, and what following costs. `npm run bench -- processes`, with settings ROUNDS (5) and RUN_SECONDS (20).
 * Prints one JSON table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { parseFeedMessage, requestText } from '../../../domain/market/book/coinbase-messages.ts';
import { openNatsBus } from '../../../server/platform/processes/nats-bus.ts';
import { testLog } from '../../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';
import { processorMs, residentMib } from '../../../tests/support/run/process-figures.ts';
import { type KatCluster, startKatCluster } from '../../../tests/support/servers/kat-cluster.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.RUN_SECONDS ?? 20);
const PRODUCT_ID = 'BTC-USD';

const postgres = await startThrowawayPostgres();
if ('skipped' in postgres) throw new Error(postgres.skipped);
process.env.TEST_DATABASE_URL = postgres.url;
const cluster = await startKatCluster(3);
try {
  const costs = await following(cluster);
  const recoveriesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) recoveriesMs.push(...(await killLeader(cluster)));
  recoveriesMs.sort((a, b) => a - b);
  const recovery = { kills: ROUNDS, medianMs: at(recoveriesMs, 0.5), worstMs: at(recoveriesMs, 1) };
  console.log(JSON.stringify({ recovery, ...costs }, null, 2));
} finally {
  await cluster.close();
  await postgres.stop();
}

/** Each process's cost while it only reads or follows, with one page each, and the delay behind the leader's page. */
async function following({ urls, natsUrl, process: of }: KatCluster) {
  const leader = await leaderOf(cluster);
  const seen = new Map<string, Map<string, number>>();
  const sockets = await Promise.all(
    urls.map(async (url) => {
      const atMs = new Map<string, number>();
      seen.set(url, atMs);
      return page(url, (text) => {
        const event = parseFeedMessage(text);
        if (event.kind === 'update') atMs.set(JSON.stringify(event.changes), performance.now());
      });
    }),
  );
  const bus = openNatsBus({ url: natsUrl, prefix: 'kat', clock: { nowMs: () => Date.now() }, log: testLog });
  const published = { messages: 0, bytes: 0 };
  bus.subscribe('market.live.books', (message) => {
    published.messages += 1;
    published.bytes += JSON.stringify(message).length;
  });
  await sleep(5000);
  for (const atMs of seen.values()) atMs.clear();
  Object.assign(published, { messages: 0, bytes: 0 });
  const before = urls.map((url) => processorMs(of(url).pid));
  await sleep(SECONDS * 1000);
  const processes = urls.map((url, i) => ({
    is: url === leader ? 'leader' : 'follower',
    processorMsASecond: round((processorMs(of(url).pid) - (before[i] ?? 0)) / SECONDS),
    residentMib: Math.round(residentMib(of(url).pid)),
  }));
  const own = seen.get(leader) ?? new Map<string, number>();
  const behindMs = urls
    .filter((url) => url !== leader)
    .flatMap((url) => [...(seen.get(url) ?? [])])
    .flatMap(([changes, atMs]) => [atMs - (own.get(changes) ?? Number.NaN)])
    .filter((ms) => !Number.isNaN(ms))
    .sort((a, b) => a - b);
  await bus.close();
  for (const socket of sockets) socket.terminate();
  return {
    bus: { messagesASecond: round(published.messages / SECONDS), kibASecond: round(published.bytes / 1024 / SECONDS) },
    behindTheLeader: { updates: behindMs.length, medianMs: at(behindMs, 0.5), p99Ms: at(behindMs, 0.99) },
    processes,
  };
}

/** @returns for each page at the others, the time until a third update after the kill */
async function killLeader({ urls, kill, start }: KatCluster): Promise<number[]> {
  const leader = await leaderOf(cluster);
  const others = urls.filter((url) => url !== leader);
  let killedAtMs = Number.POSITIVE_INFINITY;
  const back = others.map(async (url) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let updates = 0;
    const socket = await page(url, (text) => {
      // Messages in transit at the kill arrive within a moment.
      const isAfter = performance.now() - killedAtMs > 200 && parseFeedMessage(text).kind === 'update';
      if (isAfter && ++updates === 3) resolve(performance.now() - killedAtMs);
    });
    return { promise, socket };
  });
  const pages = await Promise.all(back);
  await sleep(3000 + 1000 * Math.random());
  const dying = kill(leader);
  killedAtMs = performance.now();
  const tookMs = await Promise.all(pages.map(({ promise }) => promise));
  await dying;
  for (const { socket } of pages) socket.terminate();
  await start(leader);
  return tookMs.map(Math.round);
}

async function leaderOf({ leader }: KatCluster): Promise<string> {
  for (;;) {
    const found = leader();
    if (found !== null) return found;
    await sleep(50);
  }
}

async function page(url: string, onText: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/market/ws`);
  socket.on('message', (data) => onText(String(data)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(requestText('subscribe', [PRODUCT_ID], ['level2', 'heartbeat']));
  return socket;
}

function at(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return value === undefined ? null : round(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
