/**
 * A week of market at sixty times its speed (2.8 hours of real time), on the whole product with the embedded database:
 * forecasts every five minutes of market time for every symbol and model, scored and sealed. Each hour of market time
 * it checks that the site is ready, its candles are unbroken and recent, and the live socket continues, and it measures
 * memory. The record's days follow the market's clock, so each day of market time is signed when it is over. At the end: the
 * record's own figures, every day verified from its published file with its signature, and the log.
 * `npm run lab -- stress week`, with DAYS (7), SPEED (60), and MARKET_DATA_DIR and MARKET_START for recorded candles (else
 * they are simulated).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import * as z from 'zod/mini';
import { requestText } from '../../domain/market/book/coinbase-messages.ts';
import { trackSummarySchema } from '../../domain/record/figures/track-summary.ts';
import { daysFileSchema, keysFileSchema } from '../../domain/record/ledger/record-files.ts';
import { type FileToVerify, verifyRecordFiles } from '../../domain/record/verify/verify-record.ts';
import { nodeTools } from '../../server/record/ledger/node-tools.ts';
import { processorMs, residentMib } from '../../tests/support/run/process-figures.ts';
import { startNode } from './node-under-load.ts';

const DAYS = Number(process.env.DAYS ?? 7);
const SPEED = Number(process.env.SPEED ?? 60);
const HOUR_MS = 3_600_000;
const MINUTE_S = 60;
const DAY_MS = 24 * HOUR_MS;
/** A day is signed by the next round of the job that signs, which runs once a minute of real time. */
const SIGNING_MS = 150_000;
const POLL_MS = 50;
const SYMBOLS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P'];
/** Market time: forecasts that depend on the last candles are scored by then. */
const SCORED_MS = 2 * HOUR_MS;

const historySchema = z.object({ time: z.array(z.int()) });
const dataDir = mkdtempSync(join(tmpdir(), 'kat-week-'));
const { MARKET_DATA_DIR, MARKET_START } = process.env;
const start = MARKET_START === undefined ? '' : `,start=${MARKET_START}`;
const node = await startNode({
  dataDir,
  cores: null,
  env: {
    MARKET: 'sandbox',
    TRUSTED_PROXIES: '0',
    DEVELOPMENT: `market-days,community=sandbox,speed=${SPEED}${start}`,
    ...(MARKET_DATA_DIR === undefined ? {} : { MARKET_DATA_DIR }),
  },
});
try {
  const reader = followBook(node.url);
  const firstS = await nextCandleS('BTCUSDT.P');
  const startedMs = performance.now();
  const marketMs = (): number => (performance.now() - startedMs) * SPEED;
  const marketNowMs = (): number => (firstS + MINUTE_S) * 1000 + marketMs();
  const startedAt = marketNowMs();
  const troubles: string[] = [];
  const weights: number[] = [];
  const cpuMs = processorMs(node.pid);
  let worstBehindS = 0;

  for (let hour = 1; hour <= DAYS * 24; hour++) {
    await sleep(Math.max(0, startedMs + (hour * HOUR_MS) / SPEED - performance.now()));
    const at = `hour ${hour}`;
    const ready = await fetch(`${node.url}/readyz`);
    if (!ready.ok) troubles.push(`${at}: /readyz answered ${ready.status}`);
    for (const sym of SYMBOLS) {
      const expectedS = firstS + Math.floor(marketMs() / 1000);
      const candles = await historyOf(sym);
      const gaps = candles.filter((time, i) => i > 0 && time - (candles[i - 1] ?? 0) !== MINUTE_S).length;
      if (gaps > 0) troubles.push(`${at}: ${gaps} gaps in the newest candles of ${sym}`);
      worstBehindS = Math.max(worstBehindS, expectedS - (candles.at(-1) ?? 0));
    }
    weights.push(Math.round(residentMib(node.pid)));
    if (hour % 24 === 0) console.log(JSON.stringify({ day: hour / 24, residentMib: weights.at(-1), worstBehindS }));
  }
  await sleep(Math.max(SCORED_MS / SPEED, SIGNING_MS));

  const summary = trackSummarySchema.parse(await json('/record/summary.json?period=7d'));
  const { days: signed } = daysFileSchema.parse(await json('/record/days.json'));
  const keys = keysFileSchema.parse(await json('/record/keys.json')).keys.map((key) => key.public);
  const verified = await verifyRecordFiles(await dayFiles(startedAt, marketNowMs()), {
    tools: nodeTools,
    nowS: marketNowMs() / 1000,
    // A run that ends on the day of its start has no signature for a key to check.
    keys: signed.length > 0 ? keys : [],
    against: null,
  });
  const daysOver = Math.floor((marketNowMs() - SIGNING_MS * SPEED) / DAY_MS) - Math.floor(startedAt / DAY_MS);
  if (signed.length < daysOver) troubles.push(`${signed.length} of ${daysOver} days are signed`);
  // More may have been issued since the figures were computed.
  if (!verified.isSound || verified.counts.records < summary.counts.issued)
    troubles.push(`the record: ${verified.counts.records} of ${summary.counts.issued} verified`);
  const logged = node
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const logCounts = new Map<string, number>();
  for (const line of logged) {
    const { level, msg } = z.looseObject({ level: z.number(), msg: z.string() }).parse(JSON.parse(line));
    logCounts.set(`${level} ${msg}`, (logCounts.get(`${level} ${msg}`) ?? 0) + 1);
  }
  const report = {
    days: DAYS,
    speed: SPEED,
    market: summary.market,
    counts: summary.counts,
    voidReasons: summary.voidReasons,
    missReasons: summary.missReasons,
    signedDays: signed.length,
    isSound: verified.isSound,
    verified: verified.counts,
    findings: verified.findings.slice(0, 10),
    newestCandleBehindMarketS: worstBehindS,
    liveSocket: reader.figures(),
    residentMib: { first: weights[0], highest: Math.max(...weights), last: weights.at(-1), byHour: weights },
    cores: Math.round(((processorMs(node.pid) - cpuMs) / (performance.now() - startedMs)) * 100) / 100,
    logged: Object.fromEntries(logCounts),
    troubles,
  };
  console.log(JSON.stringify(report, null, 1));
  if (troubles.length > 0) process.exitCode = 1;
} finally {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function json(path: string): Promise<unknown> {
  const answer = await fetch(node.url + path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

/** The record's file for each day of market time between the two. */
async function dayFiles(sinceMs: number, untilMs: number): Promise<FileToVerify[]> {
  const files: FileToVerify[] = [];
  for (let ms = Math.floor(sinceMs / DAY_MS) * DAY_MS; ms <= untilMs; ms += DAY_MS) {
    const name = `${new Date(ms).toISOString().slice(0, 10)}.ndjson`;
    const answer = await fetch(`${node.url}/record/days/${name}`);
    // A day without forecasts has no file.
    if (answer.status !== 404) files.push({ name, text: await answer.text() });
  }
  return files;
}

async function historyOf(sym: string): Promise<number[]> {
  return historySchema.parse(await json(`/history?exc=BINANCE&sym=${sym}&fbars=50&lkbk=450`)).time;
}

/** Waits until a candle closes. @returns its opening second; it closed within the last moments */
async function nextCandleS(sym: string): Promise<number> {
  const before = await newestCandleS(sym);
  for (;;) {
    const now = await newestCandleS(sym);
    if (now > before) return now;
    await sleep(POLL_MS);
  }
}

async function newestCandleS(sym: string): Promise<number> {
  return (await historyOf(sym)).at(-1) ?? Number.NaN;
}

/** One page's socket, reopened whenever it ends: counts that and the longest gap. */
function followBook(url: string): { figures(): Record<string, number> } {
  const figures = { updates: 0, opened: 0, longestSilenceMs: 0 };
  let receivedMs = performance.now();
  const open = (): void => {
    figures.opened += 1;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/market/ws`);
    socket.on('open', () => socket.send(requestText('subscribe', ['BTC-USD'], ['level2', 'heartbeat'])));
    socket.on('message', () => {
      figures.updates += 1;
      figures.longestSilenceMs = Math.max(figures.longestSilenceMs, Math.round(performance.now() - receivedMs));
      receivedMs = performance.now();
    });
    // 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(open, 1000).unref());
  };
  open();
  return { figures: () => ({ ...figures }) };
}
