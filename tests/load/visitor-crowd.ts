/**
 * Visitors who come at a steady pace whatever the answers take: page loads, every other one with an empty cache, and
 * sign-ups. Times are counted from the moment a request was due, so that a server that stalls cannot hide its queue.
 */

import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOfClient, addressOfHome, answerFigures, crowdOptions, portOf, tally } from './crowd-messages.ts';
import type { Visit, VisitRequest } from './recorded-visits.ts';
import { TimeCounts } from './time-counts.ts';

export interface VisitorCrowdOptions {
  /** Of the processes: each visitor goes to the next. */
  ports: readonly number[];
  anonKey: string;
  visits: readonly Visit[];
  pagesPerMinute: number;
  signUpsPerMinute: number;
}

const options = await crowdOptions<VisitorCrowdOptions>();
const { ports, visits } = options;
/** As a browser has to one host. */
const CONNECTIONS = 6;

const documents = new TimeCounts();
const files = new TimeCounts();
const calls = new TimeCounts();
const signUps = new TimeCounts();
const failures = tally();
const slowest = new Map<string, TimeCounts>();
let loads = 0;
let accounts = 0;
let client = 0;

interface Asked {
  port: number;
  agent: Agent;
  address: string;
  dueMs: number;
  into: TimeCounts;
}

function ask(wanted: Omit<VisitRequest, 'isCall'>, { port, agent, address, dueMs, into }: Asked): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { method, path, headers, body } = wanted;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const asked = request(
    {
      ...{ host: '127.0.0.1', port, agent, method, path },
      headers: { ...headers, ...length, 'accept-encoding': 'br, gzip', 'x-forwarded-for': address },
    },
    (answer) => {
      answer.resume().once('end', () => {
        const status = answer.statusCode ?? 0;
        into.add(performance.now() - dueMs);
        if (status >= 400) failures.add(`${status} ${method} ${path.split('?')[0]}`);
        resolve(status);
      });
    },
  );
  asked.once('error', (error) => {
    failures.add(`${error.message} ${method} ${path.split('?')[0]}`);
    resolve(0);
  });
  asked.end(body ?? undefined);
  return promise;
}

async function load(visit: Visit, isFirst: boolean, dueMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const port = portOf(ports, client);
  const address = addressOfClient(client++);
  const [document, ...rest] = visit.requests;
  if (document === undefined) return;
  await ask(document, { port, agent, address, dueMs, into: documents });
  const then = performance.now();
  // Six at a time, as a browser: what waits in its own queue is not the server's doing.
  const queue = rest.filter(({ isCall }) => isCall || isFirst);
  const next = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const into = one.isCall ? calls : files;
      const startMs = Math.max(then, performance.now());
      const own = timesOf(one);
      const askedMs = performance.now();
      await ask(one, { port, agent, address, dueMs: startMs, into });
      own?.add(performance.now() - askedMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, next));
  agent.destroy();
  loads += 1;
}

function timesOf({ isCall, path }: VisitRequest): TimeCounts | null {
  if (!isCall) return null;
  const name = path.split('?')[0] ?? '';
  const found = slowest.get(name) ?? new TimeCounts();
  slowest.set(name, found);
  return found;
}

async function signUp(dueMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: false });
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'Password1' });
  const headers = { apikey: options.anonKey, 'content-type': 'application/json' };
  const wanted = { method: 'POST', path: '/auth/v1/signup', headers, body };
  const status = await ask(wanted, {
    ...{ port: portOf(ports, client), agent, dueMs, into: signUps },
    address: addressOfHome(client++),
  });
  if (status === 200) accounts += 1;
}

/** Calls at even distances, never waiting for what it calls. */
async function atPace(perMinute: number, work: (nth: number, dueMs: number) => Promise<void>): Promise<void> {
  if (perMinute === 0) return;
  const startedMs = performance.now();
  for (let nth = 0; ; nth++) {
    const dueMs = startedMs + (nth * 60_000) / perMinute;
    await sleep(Math.max(0, dueMs - performance.now()));
    void work(nth, dueMs);
  }
}

answerFigures(() => {
  const calling = [...slowest].sort(([, a], [, b]) => (b.figures().p99Ms ?? 0) - (a.figures().p99Ms ?? 0));
  const [worst] = calling;
  const times = {
    ...{ documents: documents.figures(), files: files.figures(), calls: calls.figures(), signUps: signUps.figures() },
    ...(worst === undefined ? {} : { [`slowest call, ${worst[0]}`]: worst[1].figures() }),
  };
  const figures = { times, counts: { loads, accounts }, failures: failures.take() };
  for (const counts of [documents, files, calls, signUps]) counts.clear();
  slowest.clear();
  [loads, accounts] = [0, 0];
  return figures;
});
process.send?.('ready');
await Promise.all([
  atPace(options.pagesPerMinute, async (nth, dueMs) => {
    const visit = visits[nth % visits.length];
    if (visit !== undefined) await load(visit, Math.floor(nth / visits.length) % 2 === 0, dueMs);
  }),
  atPace(options.signUpsPerMinute, (_nth, dueMs) => signUp(dueMs)),
]);
