/**
 * Viewers who come together as the minute turns, or at a steady pace: each opens a forecast's stream and reads it to
 * the end. A candle's lateness counts from the first candle of its stream.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODELS } from '../../../domain/forecast/models.ts';
import { CANDLE_PACE_MS } from '../../../domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { startCrowdDelay } from '../overload/client/crowd-delay.ts';
import {
  type Manners,
  patienceMs,
  portsFrom,
  type Refusal,
  refusalInHead,
  type Try,
  untilAdmitted,
} from '../overload/client/manners.ts';
import { startPace } from '../overload/client/pace.ts';
import { WorkCounts } from '../overload/client/work-counts.ts';
import { addressOfClient, answerFigures, crowdOptions, tally } from './crowd-messages.ts';
import { TimeCounts } from './time-counts.ts';

export interface StreamCrowdOptions {
  /** Of the server processes, used in turn. */
  ports: readonly number[];
  /** One access token per viewer; the next wave continues where the last one ended. */
  tokens: readonly string[];
  streams: number;
  /** In a wave, viewers are spread over this time. */
  arrivalMs: number;
  /** From one wave to the next. */
  everyMs: number;
  /** How a refusal is handled; default: as any other failure. */
  manners?: Manners;
}

/** For a crowd with manners, instead of waves. */
export interface StreamRates {
  stage: string;
  /** Spread evenly over the minute. */
  streamsPerMinute: number;
  /** Extra viewers at this moment. */
  burst?: number;
  /** Tabs of one user; each opens a stream, and another a second after it ended or was refused; 0: none. */
  tabs?: number;
}

interface Stream extends Try {
  /** Candles received. */
  seen: number;
  /** First line of the answer; empty: no answer. */
  status: string;
}

const options = await crowdOptions<StreamCrowdOptions>();
const { ports, tokens, streams, arrivalMs, everyMs, manners } = options;
const MARK = 'data: {"time"';
const HEAD_END = '\r\n\r\n';
const SYMBOLS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
const VERSIONS = Object.values(MODELS).map(({ version }) => version);
const TAB_PAUSE_MS = 1000;

const firstCandle = new TimeCounts();
const fromFirstTry = new TimeCounts();
const lateness = new TimeCounts();
const refusalTimes = new TimeCounts();
const failures = tally();
const refused = tally();
const work = new WorkCounts();
const crowdDelay = manners === undefined ? null : startCrowdDelay();
let open = 0;
let mostOpen = 0;
let finished = 0;
let cut = 0;
let candles = 0;
let viewer = 0;
let tabs = 0;

interface Viewer {
  nth: number;
  path: string;
  token: string;
  /** When the first try was due. */
  dueMs: number;
}

function viewerOf(nth: number, wave: number, dueMs: number): Viewer {
  const symbol = SYMBOLS[(nth + wave) % SYMBOLS.length];
  const version = VERSIONS[nth % VERSIONS.length];
  const path = `/stream-kat2?exc=BINANCE&sym=${symbol}&fbars=50&lkbk=450&amp=100&ver=${version}`;
  return { nth, path, token: tokens[nth % tokens.length] ?? '', dueMs };
}

/** One attempt, read to its end. */
function openStream({ nth, path, token, dueMs }: Viewer, port: number, tryDueMs: number): Promise<Stream> {
  const { promise, resolve } = Promise.withResolvers<Stream>();
  const startedMs = performance.now();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let status = '';
  let refusal: Refusal | null = null;
  let seen = 0;
  let firstMs = 0;
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  socket.setNoDelay(true);
  socket.on('connect', () =>
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n` +
        `x-forwarded-for: ${addressOfClient(nth)}\r\n\r\n`,
    ),
  );
  socket.on('data', (chunk) => {
    const nowMs = performance.now();
    text += chunk.toString('latin1');
    if (status === '' && text.includes(HEAD_END)) {
      status = (text.split('\r\n')[0] ?? '').slice(0, 80);
      refusal = manners === undefined ? null : refusalInHead(text.slice(0, text.indexOf(HEAD_END)));
      if (refusal !== null) {
        refusalTimes.add(nowMs - startedMs);
        refused.add(refusal.workClass);
      }
    }
    let at = text.indexOf(MARK);
    while (at >= 0) {
      if (seen === 0) {
        firstMs = nowMs;
        firstCandle.add(nowMs - tryDueMs);
        fromFirstTry.add(nowMs - dueMs);
      }
      lateness.add(Math.max(0, nowMs - firstMs - seen * CANDLE_PACE_MS));
      seen += 1;
      candles += 1;
      text = text.slice(at + MARK.length);
      at = text.indexOf(MARK);
    }
    if (seen > 0) text = text.slice(-MARK.length);
  });
  socket.on('error', (error) => failures.add(`broke: ${error.message}`));
  socket.on('close', () => {
    open -= 1;
    resolve({ seen, refusal, status: status || (text.split('\r\n')[0] ?? '').slice(0, 80) });
  });
  if (manners === 'leaving') setTimeout(() => socket.destroy(), patienceMs());
  return promise;
}

async function view(viewer: Viewer): Promise<void> {
  const { nth, dueMs } = viewer;
  const stage = work.due();
  const how = { manners: manners ?? 'obeying', ports: portsFrom(ports, nth), dueMs };
  const stream = await untilAdmitted(how, (port, tryDueMs) => openStream(viewer, port, tryDueMs));
  if (stream.seen === HORIZON_BARS) {
    finished += 1;
    work.completed(stage);
  } else if (stream.refusal !== null) {
    work.left();
  } else if (manners !== 'leaving') {
    if (stream.seen > 0) cut += 1;
    failures.add(stream.seen > 0 ? `ended after ${stream.seen} candles` : stream.status || 'no answer');
  }
}

/** One tab of the user. */
async function tab(nth: number): Promise<void> {
  while (nth < tabs) {
    await view({ ...viewerOf(nth, 0, performance.now()), token: tokens[0] ?? '' });
    await sleep(TAB_PAUSE_MS);
  }
}

const pace = startPace(0, (_nth, dueMs) => void view(viewerOf(viewer++, 0, dueMs)));

answerFigures<StreamRates>(
  () => {
    const times = { firstCandle: firstCandle.figures(), lateness: lateness.figures() };
    const overloaded = { firstCandleFromFirstTry: fromFirstTry.figures(), refusals: refusalTimes.figures() };
    const counts = { mostOpen, finished, candles };
    const figures = {
      times: manners === undefined ? times : { ...times, ...overloaded },
      counts: crowdDelay === null ? counts : { ...counts, cut, ...crowdDelay() },
      failures: failures.take(),
      ...(manners === undefined ? {} : { work: { forecasts: work.figures() }, refused: refused.take() }),
    };
    for (const counts of [firstCandle, fromFirstTry, lateness, refusalTimes]) counts.clear();
    [mostOpen, finished, candles, cut] = [open, 0, 0, 0];
    return figures;
  },
  ({ stage, streamsPerMinute, burst = 0, tabs: wanted = 0 }) => {
    work.enter(stage);
    pace.set(streamsPerMinute);
    for (let i = 0; i < burst; i++) void view(viewerOf(viewer++, 0, performance.now()));
    const before = tabs;
    tabs = wanted;
    for (let nth = before; nth < wanted; nth++) void tab(nth);
  },
);
process.send?.('ready');
for (let wave = 0; streams > 0; wave++) {
  const startedMs = performance.now();
  for (let i = 0; i < streams; i++) {
    const waitMs = startedMs + (i * arrivalMs) / streams - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    void view(viewerOf(viewer++, wave, performance.now()));
  }
  await sleep(Math.max(0, startedMs + everyMs - performance.now()));
}
