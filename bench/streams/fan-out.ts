/**
 * The live socket with a thousand browsers, twenty of them paused: the age of updates on arrival, the server process's
 * CPU and memory growth, and its number of connections to the venue. The venue is the sandbox market in a separate
 * process, reached by MARKET=live. `npm run bench -- fan-out`, with settings RUN_SECONDS (300) and BROWSERS (1000).
 * Needs a second core for the browsers. Prints one JSON table.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import * as z from 'zod/mini';
import { type FeedChannel, requestText } from '#domain/market/book/coinbase-messages.ts';
import { connectionsTo, processorMs, residentMib } from '../../tests/support/run/process-figures.ts';
import { addressesFile } from '../../tests/support/servers/live-settings.ts';

const SECONDS = Number(process.env.RUN_SECONDS ?? 300);
const BROWSERS = Number(process.env.BROWSERS ?? 1000);
const PAUSED = Math.round(BROWSERS / 50);
const PRODUCT_ID = 'BTC-USD';
const CHANNELS: readonly FeedChannel[] = ['level2', 'ticker', 'heartbeat'];
/** They arrive one after the other within this time. */
const ARRIVAL_MS = 5000;
const WARM_UP_MS = 10_000;
const SAMPLE_MS = 1000;
const READY = /(http:\/\/127\.0\.0\.1:\d+)/;
const TIME = '"time":"';
const ISO_LENGTH = '2025-11-12T15:00:00.000Z'.length;

const addressesSchema = z.object({
  binance: z.object({ restUrl: z.string(), wsUrl: z.string() }),
  coinbase: z.object({ restUrl: z.string(), wsUrl: z.string() }),
});

interface Arrivals {
  updates: number;
  bytes: number;
  agesMs: number[];
}

const root = join(import.meta.dirname, '../..');
const dataDir = mkdtempSync(join(tmpdir(), 'kat-fan-out-'));
const market = spawn(process.execPath, [join(root, 'bench/streams/market-process.ts')], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const addresses = addressesSchema.parse((await once(market, 'message'))[0]);
const venuePort = Number(new URL(addresses.coinbase.wsUrl).port);
const server = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
  env: {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: '0',
    DATA_DIR: dataDir,
    MARKET: 'live',
    VENUE_ORDER: 'binance',
    ADDRESSES_FILE: addressesFile(addresses),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await addressOf();
  const pid = server.pid ?? 0;
  await sleep(WARM_UP_MS);
  const beforeMib = residentMib(pid);
  const all: Arrivals = { updates: 0, bytes: 0, agesMs: [] };
  const sockets = await Promise.all(Array.from({ length: BROWSERS }, (_, i) => browse(url, i, all)));
  await sleep(WARM_UP_MS);
  for (const socket of sockets.slice(0, PAUSED)) socket.pause();
  const openMib = residentMib(pid);
  Object.assign(all, { updates: 0, bytes: 0, agesMs: [] });

  let mostMib = openMib;
  let mostConnections = 0;
  const [cpuMs, startedMs] = [processorMs(pid), performance.now()];
  for (let second = 0; second < SECONDS; second++) {
    await sleep(SAMPLE_MS);
    mostMib = Math.max(mostMib, residentMib(pid));
    if (second % 10 === 0) mostConnections = Math.max(mostConnections, connectionsTo(pid, venuePort));
  }
  const wallMs = performance.now() - startedMs;
  const usedMs = processorMs(pid) - cpuMs;
  const ages = Float64Array.from(all.agesMs).sort();
  const age = (share: number): number =>
    Math.round((ages[Math.floor(share * (ages.length - 1))] ?? Number.NaN) * 10) / 10;
  const readers = BROWSERS - PAUSED;
  console.log(
    JSON.stringify(
      {
        bench: 'fan-out',
        node: process.version,
        browsers: BROWSERS,
        paused: PAUSED,
        seconds: Math.round(wallMs / 1000),
        updatesPerReaderPerS: Number((all.updates / readers / (wallMs / 1000)).toFixed(1)),
        bytesPerUpdate: Math.round(all.bytes / all.updates),
        ageMs: { p50: age(0.5), p99: age(0.99), worst: age(1) },
        serverCoreShare: Number((usedMs / wallMs).toFixed(2)),
        residentMib: { before: Math.round(beforeMib), open: Math.round(openMib), most: Math.round(mostMib) },
        growthMib: Math.round(mostMib - beforeMib),
        connectionsToVenueAndCandles: mostConnections,
        stillOpen: sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length,
      },
      null,
      2,
    ),
  );
  for (const socket of sockets) socket.terminate();
} finally {
  server.kill('SIGKILL');
  market.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}

async function addressOf(): Promise<string> {
  let text = '';
  for await (const chunk of server.stdout) {
    text += String(chunk);
    const address = READY.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`the server ended before it was ready:\n${text}`);
}

/** One browser: subscribes as the page does, and records the age of each update on arrival. */
async function browse(url: string, index: number, all: Arrivals): Promise<WebSocket> {
  await sleep((index * ARRIVAL_MS) / BROWSERS);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/market/ws`, { perMessageDeflate: false, origin: url });
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const text = data.toString('latin1');
    if (!text.startsWith('{"type":"l2update"')) return;
    const at = text.indexOf(TIME) + TIME.length;
    all.updates += 1;
    all.bytes += data.length;
    all.agesMs.push(Date.now() - Date.parse(text.slice(at, at + ISO_LENGTH)));
  });
  socket.send(requestText('subscribe', [PRODUCT_ID], CHANNELS));
  return socket;
}
