/**
 * How the crowds of `npm run lab -- stress overload` react to refusals, against a small server that refuses as Kat does.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SHED_HEADER } from '../../../domain/errors/shed.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { type Crowd, startCrowd } from '../crowds/crowd-messages.ts';
import type { StreamRates } from '../crowds/stream-crowd.ts';
import type { VisitorRates } from '../crowds/visitor-crowd.ts';
import { MOST_RETRIES } from './client/manners.ts';
import type { StageWork } from './client/work-counts.ts';

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

test('counts a stream that ends early as cut, and a 503 without the header as a failure', async () => {
  const cut = await streamsOf('cut', streamCandles(7));
  expect([cut.cut, cut.failures]).toEqual([2, { 'ended after 7 candles': 2 }]);
  const failed = await streamsOf('failed', (_request, response) => response.writeHead(503).end());
  expect(failed.failures).toEqual({ 'HTTP/1.1 503 Service Unavailable': 2 });
  expect([failed.cut, failed.refused]).toEqual([0, {}]);
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
  const isEnded = ({ work, times }: CrowdResult) =>
    work.one?.left === 1 && times.calls?.count === 1 && times.signUps?.count === 1;
  const { refused, times, failures } = await collect(crowd, isEnded, 'pages');
  const { work } = await crowd.figures();

  expect(Object.fromEntries(requestsByPath)).toEqual({
    '/': 2,
    '/call': 2,
    '/auth/v1/signup': 2,
    '/closed': MOST_RETRIES + 1,
  });
  expect(refused).toEqual({ page: 1, file: MOST_RETRIES + 1, call: 1, 'sign-up': 1 });
  expect(work?.pages?.one).toMatchObject({ due: 2, completedMeanwhile: 1, left: 1 });
  expect(work?.calls?.one).toMatchObject({ due: 2, completedMeanwhile: 1 });
  expect(work?.signUps?.one).toMatchObject({ due: 1, completedMeanwhile: 1 });
  expect([times.calls?.count, times.callsFromFirstTry?.count, times.signUps?.count]).toEqual([1, 1, 1]);
  expect(failures).toEqual({});
});
