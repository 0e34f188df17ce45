/**
 * Viewers who come together as the minute turns: each opens a forecast's stream and reads it to the end. How late each
 * candle comes is counted from its stream's first.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODELS } from '#domain/forecast/models.ts';
import { CANDLE_PACE_MS } from '#domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { addressOfClient, answerFigures, crowdOptions, portOf, tally } from './crowd-messages.ts';
import { TimeCounts } from './time-counts.ts';

export interface StreamCrowdOptions {
  /** Of the processes: each viewer goes to the next. */
  ports: readonly number[];
  /** Access tokens, one of each viewer; the next wave begins where the last one ended. */
  tokens: readonly string[];
  streams: number;
  /** In a wave they come one after the other within this time. */
  arrivalMs: number;
  /** From one wave to the next. */
  everyMs: number;
}

const { ports, tokens, streams, arrivalMs, everyMs } = await crowdOptions<StreamCrowdOptions>();
const MARK = 'data: {"time"';
const SYMBOLS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
const VERSIONS = Object.values(MODELS).map(({ version }) => version);

const firstCandle = new TimeCounts();
const lateness = new TimeCounts();
const failures = tally();
let open = 0;
let mostOpen = 0;
let finished = 0;
let candles = 0;
let viewer = 0;

function view(nth: number, wave: number): Promise<void> {
  const token = tokens[nth % tokens.length] ?? '';
  const symbol = SYMBOLS[(nth + wave) % SYMBOLS.length];
  const version = VERSIONS[nth % VERSIONS.length];
  const path = `/stream-kat2?exc=BINANCE&sym=${symbol}&fbars=50&lkbk=450&amp=100&ver=${version}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  const askedMs = performance.now();
  const port = portOf(ports, nth);
  const socket = connect(port, '127.0.0.1');
  let text = '';
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
    let at = text.indexOf(MARK);
    while (at >= 0) {
      if (seen === 0) {
        firstMs = nowMs;
        firstCandle.add(nowMs - askedMs);
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
    if (seen === HORIZON_BARS) finished += 1;
    else failures.add(seen > 0 ? `ended after ${seen} candles` : (text.split('\r\n')[0] ?? 'no answer').slice(0, 80));
    resolve();
  });
  return promise;
}

answerFigures(() => {
  const times = { firstCandle: firstCandle.figures(), lateness: lateness.figures() };
  const figures = { times, counts: { mostOpen, finished, candles }, failures: failures.take() };
  for (const counts of [firstCandle, lateness]) counts.clear();
  [mostOpen, finished, candles] = [open, 0, 0];
  return figures;
});
process.send?.('ready');
for (let wave = 0; ; wave++) {
  const startedMs = performance.now();
  for (let i = 0; i < streams; i++) {
    const waitMs = startedMs + (i * arrivalMs) / streams - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    void view(viewer++, wave);
  }
  await sleep(Math.max(0, startedMs + everyMs - performance.now()));
}
