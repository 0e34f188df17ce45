/**
 * Many deliveries to receivers that fail in every way, beside receivers that answer immediately. Measures how long the
 * latter wait for their events, and checks that nothing is lost, repeated or out of order.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BRAND } from '../../../server/backend/auth/mail/account-mails.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { type GuardedPost, guardedPost } from '../../../server/platform/outbound/guarded-post.ts';
import { startWebhookWorker } from '../../../server/webhooks/webhook-worker.ts';
import { testLog } from '../database/database.ts';
import { addEvents, addTestEndpoint, type TestEndpoint } from './webhook-world.ts';

/** `moves`: its name leads to a first server, then to a closed port, then to a second server, and so on. */
export const FAULTY = ['times-out', 'answers-500', 'hangs-up', 'slow', 'moves'] as const;
export type ReceiverKind = 'prompt' | (typeof FAULTY)[number];

export interface DeliveryRunOptions {
  deliveries: number;
  perSecond: number;
  /** Of each kind. */
  endpoints: number;
  /** Of the server's calls. */
  timeoutMs: number;
  slowMs: number;
  /** Of the requests to the faulty kinds. */
  faultShare: number;
  moveEveryMs: number;
  /** Server processes that share the queue; here workers in one process. */
  workers: number;
  giveUpMs: number;
  /** Absent: the product's waits after failed tries. */
  waitsMs?: readonly number[];
}

export interface DeliveryRun {
  delivered: number;
  lost: number;
  /** Accepted more than once. */
  repeated: number;
  /** Endpoints whose events were first accepted in another order. */
  disordered: number;
  /** Requests, failed ones included. */
  requests: number;
  tookS: number;
  /** From the event to its arrival at a prompt receiver, while no faulty one had events, and beside them. */
  aloneMs: Waits;
  besideMs: Waits;
}

export interface Waits {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

interface Receiver extends TestEndpoint {
  kind: ReceiverKind;
  events: string[];
  accepted: string[];
}

export async function runDeliveries(database: Database, options: DeliveryRunOptions): Promise<DeliveryRun> {
  const byName = new Map<string, Receiver>();
  const happenedMs = new Map<string, number>();
  const arrivedMs = new Map<string, number>();
  let requests = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const receiver = byName.get((request.url ?? '').slice('/hooks/'.length));
    const id = String(request.headers['kat-event-id']);
    request.resume();
    requests += 1;
    if (receiver === undefined) return void response.writeHead(404).end();
    if (!arrivedMs.has(id)) arrivedMs.set(id, atMs);
    const { kind } = receiver;
    const isFault = kind !== 'prompt' && Math.random() < options.faultShare;
    if (isFault && kind === 'times-out') return;
    if (isFault && kind === 'hangs-up') return void response.destroy();
    if (isFault && kind === 'answers-500') return void response.writeHead(500).end('broken');
    if (kind === 'slow') await sleep(options.slowMs);
    if (response.destroyed) return;
    receiver.accepted.push(id);
    response.writeHead(204).end();
  }

  const servers = await Promise.all([0, 1].map(() => listening((request, response) => void answer(request, response))));
  const [first, second] = servers.map(({ url }) => url) as [string, string];
  const posts = new Map(
    [first, second, CLOSED].map((sandboxUrl) => [
      sandboxUrl,
      guardedPost({ sandboxUrl, timeoutMs: options.timeoutMs, startLength: 200 }),
    ]),
  );
  const startedMs = performance.now();
  const places = [first, CLOSED, second] as const;
  const movedTo = () =>
    places[Math.floor((performance.now() - startedMs) / options.moveEveryMs) % places.length] ?? first;
  const post: GuardedPost = (url, request) => {
    const { hostname, pathname } = new URL(url);
    const place = hostname.startsWith('moves') ? movedTo() : first;
    return (posts.get(place) as GuardedPost)(`${place}${pathname}`, request);
  };

  const receivers: Receiver[] = [];
  for (const kind of ['prompt', ...FAULTY] as const)
    for (let n = 0; n < options.endpoints; n++) {
      const name = `${kind}-${n}`;
      const receiver = {
        ...(await addTestEndpoint(database, `https://${name}.example/hooks/${name}`)),
        kind,
        events: [],
        accepted: [],
      };
      byName.set(name, receiver);
      receivers.push(receiver);
    }
  const workers = await Promise.all(
    Array.from({ length: options.workers }, () =>
      startWebhookWorker({
        database,
        clock: { nowMs: Date.now },
        log: testLog,
        post,
        sendsMails: false,
        pollMs: 1000,
        siteUrl: () => 'https://kat.test',
        ...(options.waitsMs === undefined ? {} : { waitsMs: options.waitsMs }),
        mail: { brand: BRAND, siteUrl: () => 'https://kat.test' },
      }),
    ),
  );

  async function send(to: readonly Receiver[], count: number, perSecond: number): Promise<void> {
    const fromMs = performance.now();
    for (let sent = 0; sent < count; sent++) {
      const early = (sent / perSecond) * 1000 - (performance.now() - fromMs);
      if (early > 5) await sleep(early);
      const receiver = to[sent % to.length] as Receiver;
      const atMs = performance.now();
      const [id = ''] = await addEvents(database, receiver.userId, Date.now());
      happenedMs.set(id, atMs);
      receiver.events.push(id);
    }
  }
  const isDone = () => receivers.every(({ events, accepted }) => new Set(accepted).size >= events.length);
  const prompt = receivers.filter(({ kind }) => kind === 'prompt');
  // As many as the prompt receivers get later, at the same rate.
  const share = options.endpoints / receivers.length;
  const alone = Math.ceil(options.deliveries * share * 0.2);
  await send(prompt, alone, options.perSecond * share);
  while (!isDone()) await sleep(20);
  const aloneIds = prompt.flatMap(({ events }) => events);
  await send(receivers, options.deliveries - alone, options.perSecond);
  const endMs = performance.now() + options.giveUpMs;
  while (!isDone() && performance.now() < endMs) await sleep(100);
  // A repetition would come now.
  await sleep(500);
  const tookS = (performance.now() - startedMs) / 1000;
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all(servers.map(({ close }) => close()));

  const waits = (ids: readonly string[]): Waits => {
    const times = ids
      .map((id) => (arrivedMs.get(id) ?? Number.NaN) - (happenedMs.get(id) ?? 0))
      .toSorted((a, b) => a - b);
    const at = (part: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN);
    return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
  };
  const besideIds = prompt.flatMap(({ events }) => events).filter((id) => !aloneIds.includes(id));
  return {
    delivered: receivers.reduce((sum, { accepted }) => sum + new Set(accepted).size, 0),
    lost: receivers.reduce(
      (sum, { events, accepted }) => sum + events.filter((id) => !accepted.includes(id)).length,
      0,
    ),
    repeated: receivers.reduce((sum, { accepted }) => sum + accepted.length - new Set(accepted).size, 0),
    disordered: receivers.filter(({ events, accepted }) => [...new Set(accepted)].join() !== events.join()).length,
    requests,
    tookS: Math.round(tookS),
    aloneMs: waits(aloneIds),
    besideMs: waits(besideIds),
  };
}

/** A port on which nothing listens. */
const CLOSED = 'http://127.0.0.1:1';

async function listening(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
