/**
 * How the crowds of `npm run load -- overload` react to refusals, against a small server that refuses as Kat does.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SHED_HEADER } from '#domain/errors/shed.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Crowd, startCrowd } from '../load/crowds/crowd-messages.ts';
import type { SocketRates } from '../load/crowds/socket-crowd.ts';
import type { StreamRates } from '../load/crowds/stream-crowd.ts';
import type { VisitorRates } from '../load/crowds/visitor-crowd.ts';
import { Gate } from '../load/overload/client/gate.ts';
import { MOST_RETRIES, portsFrom, refusalInHead, untilAdmitted } from '../load/overload/client/manners.ts';
import { startPace } from '../load/overload/client/pace.ts';
import { type StageWork, WorkCounts } from '../load/overload/client/work-counts.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function serve(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
}

/** Its test closes it. */
function crowdOf(file: string, options: object): Crowd {
  const crowd = startCrowd(file, options, null);
  undo.push(() => crowd.stop());
  return crowd;
}

const refusal = (workClass: string) => ({ [SHED_HEADER]: workClass, 'retry-after': '0' });

/** Sends a stream's candles, or cuts it after some of them. */
const streamCandles =
  (candles = HORIZON_BARS): RequestListener =>
  (_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < candles; i++) answer.write(`data: {"time":${i}}\n\n`);
    answer.end();
  };

interface CrowdResult {
  work: StageWork;
  refused: Record<string, number>;
  failures: Record<string, number>;
  cut: number;
  /** How often each duration was counted, and the longest one. */
  times: Record<string, { count: number; worstMs: number }>;
}

/** Polls a crowd's figures until they match. */
async function collect(
  crowd: Crowd,
  isEnough: (result: CrowdResult) => boolean,
  kind = 'forecasts',
): Promise<CrowdResult> {
  const result: CrowdResult = { work: {}, refused: {}, failures: {}, cut: 0, times: {} };
  const add = (into: Record<string, number>, counts: Record<string, number>): void => {
    for (const [what, count] of Object.entries(counts)) into[what] = (into[what] ?? 0) + count;
  };
  while (!isEnough(result)) {
    await sleep(20);
    const figures = await crowd.figures();
    result.work = figures.work?.[kind] ?? {};
    add(result.refused, figures.refused ?? {});
    add(result.failures, figures.failures);
    result.cut += figures.counts.cut ?? 0;
    for (const [name, { count, worstMs }] of Object.entries(figures.times)) {
      const before = result.times[name] ?? { count: 0, worstMs: 0 };
      result.times[name] = { count: before.count + count, worstMs: Math.max(before.worstMs, worstMs ?? 0) };
    }
  }
  return result;
}

const ended = (stage: string, count: number) => (result: CrowdResult) => {
  const { completedMeanwhile = 0, left = 0 } = result.work[stage] ?? {};
  return completedMeanwhile + left + Object.values(result.failures).reduce((sum, one) => sum + one, 0) >= count;
};

function streamCrowd(ports: readonly number[], manners: string): Crowd {
  const none = { streams: 0, arrivalMs: 0, everyMs: 0 };
  return startCrowd('stream-crowd.ts', { ...none, ports, tokens: ['a', 'b', 'c'], manners }, null);
}

/** One crowd for the tests below, because starting it takes longer than the tests. */
let viewers: Crowd;
let answer: RequestListener;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  const { port } = await serve((request, response) => answer(request, response));
  closing.push(...undo.splice(0));
  viewers = streamCrowd([port], 'obeying');
  await viewers.ready;
});
afterAll(() => {
  viewers.stop();
  for (const step of closing) step();
});

/** Two streams at this moment. */
async function streamsOf(stage: string, listener: RequestListener): Promise<CrowdResult> {
  answer = listener;
  viewers.change({ stage, streamsPerMinute: 0, burst: 2 } satisfies StreamRates);
  return collect(viewers, ended(stage, 2));
}

test('retries a refused stream and measures its completion from the first attempt', async () => {
  let requestCount = 0;
  const result = await streamsOf('again', (request, response) => {
    requestCount += 1;
    if (requestCount > 4) streamCandles()(request, response);
    else setTimeout(() => response.writeHead(503, refusal('stream')).end('{}'), 100);
  });
  expect(result.refused).toEqual({ stream: 4 });
  expect(result.times.refusals?.count).toBe(4);
  expect(result.work.again).toEqual({ due: 2, completedOfDue: 2, completedMeanwhile: 2, left: 0 });
  expect([result.times.firstCandle?.count, result.times.firstCandleFromFirstTry?.count]).toEqual([2, 2]);
  const { firstCandle, firstCandleFromFirstTry } = result.times;
  expect((firstCandleFromFirstTry?.worstMs ?? 0) - (firstCandle?.worstMs ?? 0)).toBeGreaterThan(90);
  expect(result.failures).toEqual({});
});

test('gives up a stream that is refused on every retry', async () => {
  const result = await streamsOf('left', (_request, response) => response.writeHead(503, refusal('stream')).end());
  expect(result.refused).toEqual({ stream: 2 * (MOST_RETRIES + 1) });
  expect(result.work.left).toMatchObject({ completedOfDue: 0, left: 2 });
});

test('counts a stream that ends early as cut, and a 503 without the header as a failure', async () => {
  const cut = await streamsOf('cut', streamCandles(7));
  expect([cut.cut, cut.failures]).toEqual([2, { 'ended after 7 candles': 2 }]);
  const failed = await streamsOf('failed', (_request, response) => response.writeHead(503).end());
  expect(failed.failures).toEqual({ 'HTTP/1.1 503 Service Unavailable': 2 });
  expect([failed.cut, failed.refused]).toEqual([0, {}]);
});

test("opens a stream in each of one user's tabs, and again after it ends", async () => {
  const tokens: (string | undefined)[] = [];
  answer = (request, response) => {
    tokens.push(request.headers.authorization);
    streamCandles()(request, response);
  };
  viewers.change({ stage: 'tabs', streamsPerMinute: 0, tabs: 3 } satisfies StreamRates);
  await collect(viewers, ended('tabs', 6));
  viewers.change({ stage: 'tabs', streamsPerMinute: 0 } satisfies StreamRates);
  expect(tokens).toEqual(Array.from({ length: 6 }, () => 'Bearer a'));
});

test('retries a refused stream at the other process immediately', async () => {
  const [full, free] = await Promise.all([
    serve((_request, response) => response.writeHead(503, { ...refusal('stream'), 'retry-after': '60' }).end()),
    serve(streamCandles()),
  ]);
  const crowd = streamCrowd([full.port, free.port], 'obeying');
  undo.push(() => crowd.stop());
  await crowd.ready;
  crowd.change({ stage: 'one', streamsPerMinute: 0, burst: 2 } satisfies StreamRates);
  const result = await collect(crowd, ended('one', 2));
  expect(result.refused).toEqual({ stream: 1 });
  expect(result.work.one).toMatchObject({ due: 2, completedOfDue: 2 });
});

test('retries immediately when ignoring Retry-After, and closes the connection when leaving', async () => {
  let closed = 0;
  const [full, slow] = await Promise.all([
    serve((_request, response) => response.writeHead(503, { ...refusal('stream'), 'retry-after': '60' }).end()),
    serve((request) => request.once('close', () => closed++)),
  ]);
  const crowds = [streamCrowd([full.port], 'ignoring'), streamCrowd([slow.port], 'leaving')] as const;
  undo.push(...crowds.map((crowd) => () => crowd.stop()));
  await Promise.all(crowds.map(({ ready }) => ready));
  for (const crowd of crowds) crowd.change({ stage: 'one', streamsPerMinute: 0, burst: 2 } satisfies StreamRates);
  await collect(crowds[0], ({ refused }) => (refused.stream ?? 0) > 20);
  await expect.poll(() => closed).toBe(2);
  expect((await crowds[1].figures()).failures).toEqual({});
});

test('retries a refused document, call and sign-up, and sends nothing for a page that left', async () => {
  const requestsByPath = new Map<string, number>();
  const { port } = await serve((request, answer) => {
    const path = request.url ?? '';
    const count = (requestsByPath.get(path) ?? 0) + 1;
    requestsByPath.set(path, count);
    const workClass = { '/': 'page', '/call': 'call', '/auth/v1/signup': 'sign-up' }[path] ?? 'file';
    if (path === '/closed' || count === 1) answer.writeHead(503, refusal(workClass)).end();
    else answer.writeHead(200).end('{}');
  });
  const requestOf = (path: string, isCall: boolean) => ({ method: 'GET', path, headers: {}, body: null, isCall });
  const page = (path: string) => ({ page: path, requests: [requestOf(path, false), requestOf('/call', true)] });
  const options = { ports: [port], anonKey: 'key', visits: [page('/'), page('/closed')], manners: 'obeying' };
  const crowd = crowdOf('visitor-crowd.ts', { ...options, pagesPerMinute: 0, signUpsPerMinute: 0 });
  await crowd.ready;
  const burst = { pages: 2, signUps: 1 };
  crowd.change({ stage: 'one', pagesPerMinute: 0, signUpsPerMinute: 0, burst } satisfies VisitorRates);
  await expect.poll(() => [...requestsByPath.values()].reduce((sum, count) => sum + count, 0)).toBe(10);
  await sleep(200);
  const { work, refused, times, failures } = await crowd.figures();

  expect(Object.fromEntries(requestsByPath)).toEqual({
    ...{ '/': 2, '/call': 2, '/auth/v1/signup': 2 },
    '/closed': MOST_RETRIES + 1,
  });
  expect(refused).toEqual({ page: 1, file: MOST_RETRIES + 1, call: 1, 'sign-up': 1 });
  expect(work?.pages?.one).toMatchObject({ due: 2, completedMeanwhile: 1, left: 1 });
  expect(work?.calls?.one).toMatchObject({ due: 2, completedMeanwhile: 1 });
  expect(work?.signUps?.one).toMatchObject({ due: 1, completedMeanwhile: 1 });
  expect([times.calls?.count, times.callsFromFirstTry?.count, times.signUps?.count]).toEqual([1, 1, 1]);
  expect(failures).toEqual({});
});

test('opens and closes sockets as the load demands, and retries a refused one', async () => {
  let refusals = 0;
  let open = 0;
  const { server, port } = await serve((_request, answer) => answer.writeHead(404).end());
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined);
    if (refusals++ === 0) {
      socket.end('HTTP/1.1 503 Busy\r\nX-Kat-Shed: page\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    socket.on('end', () => socket.end());
    socket.resume();
  });
  const none = { sockets: 0, arrivalMs: 0, productIds: ['BTC-USD'] };
  const crowd = crowdOf('socket-crowd.ts', { ...none, ports: [port], manners: 'obeying', from: ['127.0.0.2'] });
  await crowd.ready;
  crowd.change({ sockets: 5, withinMs: 100 } satisfies SocketRates);
  await expect.poll(() => open).toBe(5);
  expect((await crowd.figures()).refused).toEqual({ page: 1 });
  crowd.change({ sockets: 2, withinMs: 100 } satisfies SocketRates);
  await expect.poll(() => open).toBe(2);
  const { failures, counts } = await crowd.figures();
  expect([failures, counts.open]).toEqual([{}, 2]);
});

test("delays the database's answers in order by the delay set on the slow proxy", async () => {
  const echo = createTcpServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  undo.push(() => echo.close());
  const address = echo.address();
  const target = { host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
  const proxy = crowdOf('../overload/host/slow-database.ts', target);
  const { port } = z.object({ port: z.number() }).parse(await proxy.ready);
  const client = connect(port, '127.0.0.1');
  undo.push(() => client.destroy());
  let received = '';
  client.on('data', (chunk) => {
    received += String(chunk);
  });
  let requested = '';
  const send = (text: string): void => {
    requested += text;
    client.write(text);
  };
  /** Waits until everything that was sent has come back. */
  const exchange = async (text: string): Promise<number> => {
    const startedMs = performance.now();
    send(text);
    while (received.length < requested.length) await sleep(1);
    return performance.now() - startedMs;
  };
  await exchange('hello');
  proxy.change({ delayMs: 200 });
  await proxy.figures();
  expect(await exchange('slow')).toBeGreaterThanOrEqual(195);
  send('1');
  await sleep(50);
  proxy.change({ delayMs: 0 });
  await proxy.figures();
  await exchange('2');
  expect(received).toBe('helloslow12');
  expect((await proxy.figures()).counts.answers).toBeGreaterThan(0);
});

test('recognizes a refusal in a response head by its status and its header alone', () => {
  const head = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nx-kat-shed: call';
  expect(refusalInHead(head)).toEqual({ workClass: 'call', retryAfterS: 3 });
  expect(refusalInHead(head.replace('503', '500'))).toBeNull();
  expect(refusalInHead('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3')).toBeNull();
});

test('starts an attempt at its due time, and waits after every process has refused', async () => {
  const tries: [number, number][] = [];
  const how = { manners: 'obeying' as const, ports: portsFrom([1, 2], 1), dueMs: performance.now() - 5000 };
  const last = await untilAdmitted(how, async (port, dueMs) => {
    tries.push([port, Math.round(dueMs - how.dueMs)]);
    return { refusal: tries.length < 4 ? { workClass: 'call', retryAfterS: 0.05 } : null };
  });
  expect(last.refusal).toBeNull();
  expect(tries.map(([port]) => port)).toEqual([2, 1, 2, 1]);
  expect(tries[0]?.[1]).toBe(0);
  expect((tries[2]?.[1] ?? 0) - (tries[1]?.[1] ?? 0)).toBeGreaterThanOrEqual(49);
});

test('counts work for the stage in which it was due and for the current one', () => {
  const counts = new WorkCounts();
  counts.enter('one');
  const stage = counts.due(3);
  counts.completed(stage);
  counts.enter('two');
  counts.completed(stage);
  counts.left();
  expect(counts.figures()).toEqual({
    one: { due: 3, completedOfDue: 2, completedMeanwhile: 1, left: 0 },
    two: { due: 0, completedOfDue: 0, completedMeanwhile: 1, left: 1 },
  });
});

test('applies a new rate while a pace waits, without catching up', async () => {
  const due: number[] = [];
  const beganMs = performance.now();
  const pace = startPace(0, (_nth, dueMs) => due.push(dueMs - beganMs));
  await sleep(100);
  expect(due).toEqual([]);
  pace.set(1);
  await sleep(20);
  pace.set(6000);
  await sleep(300);
  pace.set(0);
  await sleep(50);
  const count = due.length;
  // A hundred a second from 120 ms on.
  expect(due[0]).toBeGreaterThan(120);
  expect((due.at(-1) ?? 0) - (due[0] ?? 0)).toBeCloseTo((count - 1) * 10, 3);
  expect(count).toBeGreaterThan(20);
  await sleep(50);
  expect(due).toHaveLength(count);
});

test('lets at most two through a gate of two at a time', async () => {
  const gate = new Gate(2);
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(5);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 7 }, () => gate.through(work)));
  expect([most, inside]).toEqual([2, 0]);
});
