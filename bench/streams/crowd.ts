/**
 * A thousand simultaneous viewers, each with a stream of 50 candles at ten a second, over HTTP against one process on
 * one core: how late candles come, counted from each stream's first, beside a bare Node server that writes the same at
 * the same pace. `npm run bench -- crowd`; it takes half a minute, and needs a second core for the viewers. Prints one
 * JSON table.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { CANDLE_PACE_MS } from '#domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';

const STREAMS = 1000;
const STREAMS_A_USER = 3;
/** They arrive one after the other within this time, so that all are open together for as long again. */
const ARRIVAL_MS = 2500;
const BOUND_MS = 100;
const PATH = '/stream-kat2?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';
const MARK = 'data: {"time"';

const readySchema = z.object({ origin: z.string(), tokens: z.array(z.string()) });

interface Crowd {
  streams: number;
  candles: number;
  firstCandleP99Ms: number;
  latenessP50Ms: number;
  latenessP99Ms: number;
  latenessWorstMs: number;
}

/** On the first core alone, if the system has a command for it. */
async function startServer(file: string): Promise<{ origin: string; tokens: string[]; stop(): void }> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const users = String(Math.ceil(STREAMS / STREAMS_A_USER));
  const command = [...(process.platform === 'linux' ? ['taskset', '-c', '0'] : []), process.execPath, script, users];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [message] = await once(child, 'message');
  return { ...readySchema.parse(message), stop: () => child.kill('SIGKILL') };
}

async function watch(origin: string, tokens: readonly string[]): Promise<Crowd> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const firstMs: number[] = [];
  const latenessMs: number[] = [];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, i) => {
      const dueMs = startedMs + (i * ARRIVAL_MS) / STREAMS;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      const requestedMs = performance.now();
      const arrivalsMs = await arrivals(`${origin}${PATH}`, tokens[i % tokens.length] ?? '', agent);
      const [first = Number.NaN] = arrivalsMs;
      firstMs.push(first - requestedMs);
      for (const [candle, arrivedMs] of arrivalsMs.entries())
        latenessMs.push(arrivedMs - first - candle * CANDLE_PACE_MS);
    }),
  );
  return {
    streams: firstMs.length,
    candles: latenessMs.length,
    firstCandleP99Ms: quantile(firstMs, 0.99),
    latenessP50Ms: quantile(latenessMs, 0.5),
    latenessP99Ms: quantile(latenessMs, 0.99),
    latenessWorstMs: quantile(latenessMs, 1),
  };
}

async function arrivals(url: string, token: string, agent: Agent): Promise<number[]> {
  const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`);
  const arrivalsMs: number[] = [];
  let tail = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    const text = tail + String(chunk);
    const pieces = text.split(MARK);
    tail = (pieces.at(-1) ?? '').slice(-MARK.length);
    for (let i = 1; i < pieces.length; i++) arrivalsMs.push(performance.now());
  }
  if (arrivalsMs.length !== HORIZON_BARS) throw new Error(`${arrivalsMs.length} candles arrived`);
  return arrivalsMs;
}

function quantile(values: number[], share: number): number {
  const sorted = values.sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN) * 10) / 10;
}

async function measured(file: string): Promise<Crowd> {
  const server = await startServer(file);
  try {
    return await watch(server.origin, server.tokens);
  } finally {
    server.stop();
  }
}

const kat = await measured('./crowd-server.ts');
const bareServer = await measured('./crowd-bare-server.ts');
console.log(JSON.stringify({ kat, bareServer, boundMs: BOUND_MS, isWithin: kat.latenessP99Ms < BOUND_MS }, null, 1));
