/**
 * `npm run lab -- stress flood`: one address sends a request again and again while thirty others use the site a little. For
 * each route it reports what the others' requests took and how many were refused, beside the same without a flood.
 * The bound: at most one in fifty refused, and the 99th percentile within 1.5 times.
 *
 * --route NAME (repeatable; default: all), --seconds N of each (default 15), --connections N (default 64),
 * --against FOLDER (another installed checkout, measured in turns with this one)
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { processorMs } from '../../tests/support/run/process-figures.ts';
import { FLOODS } from './flood/floods.ts';
import { startNode } from './node-under-load.ts';
import { pin } from './overload/host/site.ts';

const ADDRESSES = 30;
/** What the others request, one after the other. */
const OTHERS = [
  '/history?sym=BTCUSDT.P&exc=BINANCE&fbars=50&lkbk=450',
  '/config.json',
  '/favicon.svg',
  '/pricing',
  '/history?sym=ETHUSDT.P&exc=BINANCE&fbars=50&lkbk=450',
  '/theme.js',
  '/market/products?q=pepe',
  '/',
];
const EVERY_MS = 20;
const LATEST_MS = 10_000;
const WARM_UP_MS = 3000;
const MOST_REFUSED = 1 / 50;
const MOST_TIMES = 1.5;

const { values } = parseArgs({
  options: {
    route: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '64' },
    against: { type: 'string' },
  },
});
const routes = values.route ?? Object.keys(FLOODS);
const seconds = Number(values.seconds);
const connections = Number(values.connections);
if (!routes.every((name) => Object.hasOwn(FLOODS, name)) || !(seconds >= 1) || !(connections >= 1)) {
  console.error(`--route takes ${Object.keys(FLOODS).join(', ')}; --seconds and --connections take a number from 1.`);
  process.exit(2);
}
const hasCores = availableParallelism() > 1;
if (hasCores) pin(process.pid, '1');

interface Flooded {
  name: string;
  pid: number;
  port: number;
}

const configSchema = z.object({ supabaseAnonKey: z.string() });

interface Figures {
  requests: number;
  /** Processor time of the server, as a share of one core. */
  cores: number;
  refusedShare: number;
  p50Ms: number;
  p99Ms: number;
}

const undo: (() => unknown)[] = [];
try {
  const here = { name: 'this version', root: undefined };
  const versions = values.against === undefined ? [here] : [{ name: 'the other', root: values.against }, here];
  const nodes: Flooded[] = [];
  for (const { name, root } of versions) {
    const dataDir = mkdtempSync(join(tmpdir(), 'kat-flood-'));
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const env = { PAYMENTS: 'sandbox', ALLOW_SANDBOX_IN_PRODUCTION: '1' };
    const node = await startNode({ dataDir, cores: hasCores ? '0' : null, env, ...(root && { root }) });
    undo.push(() => node.stop());
    nodes.push({ name, pid: node.pid, port: Number(new URL(node.url).port) });
  }
  for (const node of nodes) await measureOthers(node, WARM_UP_MS);
  for (const route of routes)
    for (const node of nodes) {
      const { name, port } = node;
      const alone = await measureOthers(node, seconds * 1000);
      const flooder = await startFlooder(port, route);
      await sleep(WARM_UP_MS);
      const beside = await measureOthers(node, seconds * 1000);
      const sent = await stopFlooder(flooder);
      const times = beside.p99Ms / alone.p99Ms;
      const isHeld = beside.refusedShare <= MOST_REFUSED && times <= MOST_TIMES;
      console.log(JSON.stringify({ route, version: name, alone, beside, times: rounded(times), isHeld, flood: sent }));
    }
} finally {
  for (const step of undo.reverse()) await step();
}

/** In an open loop: a slow answer delays no other request. */
async function measureOthers({ port, pid }: Flooded, forMs: number): Promise<Figures> {
  const tookMs: number[] = [];
  let refused = 0;
  const agent = new http.Agent({ keepAlive: true });
  const all: Promise<void>[] = [];
  const startMs = performance.now();
  const cpuMs = processorMs(pid);
  for (let i = 0; i * EVERY_MS < forMs; i++) {
    await sleep(Math.max(0, startMs + i * EVERY_MS - performance.now()));
    all.push(
      request(port, agent, i).then(({ status, ms }) => {
        if (status === null || status === 503 || status === 429) refused += 1;
        else tookMs.push(ms);
      }),
    );
  }
  await Promise.all(all);
  const cores = rounded((processorMs(pid) - cpuMs) / (performance.now() - startMs));
  agent.destroy();
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => rounded(tookMs[Math.floor(share * tookMs.length)] ?? Number.NaN);
  return { requests: all.length, cores, refusedShare: rounded(refused / all.length), p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** @returns null as status for a request that failed */
function request(port: number, agent: http.Agent, nth: number): Promise<{ status: number | null; ms: number }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number | null; ms: number }>();
  const startMs = performance.now();
  const headers = { 'x-forwarded-for': `198.51.100.${(nth % ADDRESSES) + 1}` };
  const path = OTHERS[nth % OTHERS.length];
  const sent = http.get({ host: '127.0.0.1', port, agent, path, headers, timeout: LATEST_MS }, (response) => {
    response.resume();
    response.on('end', () => resolve({ status: response.statusCode ?? null, ms: performance.now() - startMs }));
    response.on('error', () => resolve({ status: null, ms: 0 }));
  });
  sent.on('timeout', () => sent.destroy());
  sent.on('error', () => resolve({ status: null, ms: 0 }));
  return promise;
}

async function startFlooder(port: number, flood: string): Promise<ChildProcess> {
  const { supabaseAnonKey } = configSchema.parse(await (await fetch(`http://127.0.0.1:${port}/config.json`)).json());
  const args = [
    '--port',
    String(port),
    '--flood',
    flood,
    '--connections',
    String(connections),
    '--key',
    supabaseAnonKey,
  ];
  // Behind this process on its core, whose own delays would count as the server's.
  const through = { execPath: 'nice', execArgv: ['-n', '15', process.execPath] };
  return fork(join(import.meta.dirname, 'flood/flooder.ts'), args, through);
}

/** @returns its answers by status */
async function stopFlooder(flooder: ChildProcess): Promise<Record<string, number>> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  flooder.once('message', resolve);
  flooder.once('exit', () => resolve({}));
  flooder.send('stop');
  return z.record(z.string(), z.number()).parse(await promise);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
