/**
 * Visitors who come at a steady pace, however slow the answers are: page loads, every other one with an empty cache,
 * and sign-ups. Times count from the moment a request was due, so that a stalling server cannot hide its queue.
 */

import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { startCrowdDelay } from '../overload/client/crowd-delay.ts';
import { Gate } from '../overload/client/gate.ts';
import {
  type Manners,
  patienceMs,
  portsFrom,
  type Refusal,
  refusalOf,
  type Try,
  untilAdmitted,
} from '../overload/client/manners.ts';
import { startPace } from '../overload/client/pace.ts';
import { WorkCounts } from '../overload/client/work-counts.ts';
import { addressOfClient, addressOfHome, answerFigures, crowdOptions, tally } from './crowd-messages.ts';
import type { Visit, VisitRequest } from './recorded-visits.ts';
import { TimeCounts } from './time-counts.ts';

export interface VisitorCrowdOptions {
  /** Of the server processes, used in turn. */
  ports: readonly number[];
  anonKey: string;
  visits: readonly Visit[];
  pagesPerMinute: number;
  signUpsPerMinute: number;
  /** How a refusal is handled; default: as any other failure. */
  manners?: Manners;
}

/** For a crowd with manners, while it runs. */
export interface VisitorRates {
  stage: string;
  pagesPerMinute: number;
  signUpsPerMinute: number;
  /** Extra page loads and sign-ups at this moment. */
  burst?: { pages: number; signUps: number };
}

const options = await crowdOptions<VisitorCrowdOptions>();
const { ports, visits, manners } = options;
/** A browser's limit per host. */
const CONNECTIONS = 6;

const documents = new TimeCounts();
const files = new TimeCounts();
const calls = new TimeCounts();
const signUps = new TimeCounts();
/** Requests that were refused first count from when the first try was due. */
const callsFromFirstTry = new TimeCounts();
const signUpsFromFirstTry = new TimeCounts();
const refusalTimes = new TimeCounts();
const failures = tally();
const refused = tally();
const work = { pages: new WorkCounts(), calls: new WorkCounts(), signUps: new WorkCounts() };
const crowdDelay = manners === undefined ? null : startCrowdDelay();
const slowest = new Map<string, TimeCounts>();
let loads = 0;
let accounts = 0;
let client = 0;

interface Answer extends Try {
  /** 0: no answer. */
  status: number;
  port: number;
}

interface SendOptions {
  port: number;
  agent: Agent;
  address: string;
  /** When this try was due. */
  dueMs: number;
  into: TimeCounts;
}

function send(
  wanted: Omit<VisitRequest, 'isCall'>,
  { port, agent, address, dueMs, into }: SendOptions,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { method, path, headers, body } = wanted;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const startedMs = performance.now();
  const sent = request(
    {
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...length, 'accept-encoding': 'br, gzip', 'x-forwarded-for': address },
    },
    (answer) => {
      const status = answer.statusCode ?? 0;
      let refusal: Refusal | null = null;
      if (manners !== undefined) {
        refusal = refusalOf(status, (name) => {
          const value = answer.headers[name];
          return Array.isArray(value) ? value[0] : value;
        });
      }
      answer.resume().once('end', () => {
        const tookMs = performance.now() - dueMs;
        if (refusal !== null) {
          refusalTimes.add(performance.now() - startedMs);
          refused.add(refusal.workClass);
        } else {
          into.add(tookMs);
          if (status >= 400) failures.add(`${status} ${method} ${path.split('?')[0]}`);
        }
        resolve({ status, refusal, port });
      });
      // A broken answer has no `end` event.
      answer.once('error', () => fail('broke off'));
    },
  );
  const fail = (message: string): void => {
    if (manners !== 'leaving') failures.add(`${message} ${method} ${path.split('?')[0]}`);
    resolve({ status: 0, refusal: null, port });
  };
  sent.once('error', (error) => fail(error.message));
  if (manners === 'leaving') setTimeout(() => sent.destroy(), patienceMs());
  sent.end(body ?? undefined);
  return promise;
}

async function load(visit: Visit, isFirst: boolean, dueMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const own = portsFrom(ports, client);
  const address = addressOfClient(client++);
  const [document, ...rest] = visit.requests;
  if (document === undefined) return;
  const wanted = rest.filter(({ isCall }) => isCall || isFirst);
  const pageStage = work.pages.due();
  const callStage = work.calls.due(wanted.filter(({ isCall }) => isCall).length);
  const polite = manners ?? 'obeying';
  const page = await untilAdmitted({ manners: polite, ports: own, dueMs }, (port, tryDueMs) =>
    send(document, { port, agent, address, dueMs: tryDueMs, into: documents }),
  );
  if (page.refusal !== null) work.pages.left();
  if (manners !== undefined && (!isGood(page) || manners === 'leaving')) {
    agent.destroy();
    return;
  }
  const then = performance.now();
  // Six at a time, as in a browser: waiting in its own queue is not the server's fault.
  const gate = new Gate(CONNECTIONS);
  const admitting = portsFrom(ports, ports.indexOf(page.port));
  const fetchOne = async (one: VisitRequest): Promise<void> => {
    let firstMs = 0;
    const answer = await untilAdmitted({ manners: polite, ports: admitting, dueMs: then }, (port) =>
      // It holds no connection while it waits to retry.
      gate.through(async () => {
        const startedMs = performance.now();
        firstMs ||= startedMs;
        const tried = await send(one, { port, agent, address, dueMs: startedMs, into: one.isCall ? calls : files });
        if (tried.refusal === null) timesOf(one)?.add(performance.now() - startedMs);
        return tried;
      }),
    );
    if (!one.isCall) return;
    if (answer.refusal !== null) return work.calls.left();
    callsFromFirstTry.add(performance.now() - firstMs);
    if (isGood(answer)) work.calls.completed(callStage);
  };
  await Promise.all(wanted.map(fetchOne));
  agent.destroy();
  loads += 1;
  work.pages.completed(pageStage);
}

function isGood({ status }: Answer): boolean {
  return status > 0 && status < 400;
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
  const own = portsFrom(ports, client);
  const address = addressOfHome(client++);
  const stage = work.signUps.due();
  const answer = await untilAdmitted({ manners: manners ?? 'obeying', ports: own, dueMs }, (port, tryDueMs) =>
    send(wanted, { port, agent, address, dueMs: tryDueMs, into: signUps }),
  );
  if (answer.refusal !== null) return work.signUps.left();
  signUpsFromFirstTry.add(performance.now() - dueMs);
  if (answer.status !== 200) return;
  accounts += 1;
  work.signUps.completed(stage);
}

function loadNth(nth: number, dueMs: number): void {
  const visit = visits[nth % visits.length];
  if (visit !== undefined) void load(visit, Math.floor(nth / visits.length) % 2 === 0, dueMs);
}

const pagePace = startPace(options.pagesPerMinute, loadNth);
const signUpPace = startPace(options.signUpsPerMinute, (_nth, dueMs) => void signUp(dueMs));

answerFigures<VisitorRates>(
  () => {
    const calling = [...slowest].sort(([, a], [, b]) => (b.figures().p99Ms ?? 0) - (a.figures().p99Ms ?? 0));
    const [worst] = calling;
    const times = {
      documents: documents.figures(),
      files: files.figures(),
      calls: calls.figures(),
      signUps: signUps.figures(),
      ...(worst === undefined ? {} : { [`slowest call, ${worst[0]}`]: worst[1].figures() }),
    };
    const overloaded = {
      callsFromFirstTry: callsFromFirstTry.figures(),
      signUpsFromFirstTry: signUpsFromFirstTry.figures(),
      refusals: refusalTimes.figures(),
    };
    const worked = { pages: work.pages.figures(), calls: work.calls.figures(), signUps: work.signUps.figures() };
    const figures = {
      times: manners === undefined ? times : { ...times, ...overloaded },
      counts: crowdDelay === null ? { loads, accounts } : { loads, accounts, ...crowdDelay() },
      failures: failures.take(),
      ...(manners === undefined ? {} : { work: worked, refused: refused.take() }),
    };
    for (const counts of [documents, files, calls, signUps, callsFromFirstTry, signUpsFromFirstTry, refusalTimes])
      counts.clear();
    slowest.clear();
    [loads, accounts] = [0, 0];
    return figures;
  },
  ({ stage, pagesPerMinute, signUpsPerMinute, burst = { pages: 0, signUps: 0 } }) => {
    for (const counts of Object.values(work)) counts.enter(stage);
    pagePace.set(pagesPerMinute);
    signUpPace.set(signUpsPerMinute);
    for (let i = 0; i < burst.pages; i++) loadNth(i, performance.now());
    for (let i = 0; i < burst.signUps; i++) void signUp(performance.now());
  },
);
process.send?.('ready');
