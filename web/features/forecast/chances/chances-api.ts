/** GET /chances and the live windows: what the server computes from its newest forecast of a market. */
import type { SimilarPast } from '#domain/chances/chance.ts';
import {
  CHANCES_PATH,
  chanceAnswerSchema,
  chanceQuery,
  LIVE_CHANCES_EVENT,
  LIVE_CHANCES_PATH,
  type LiveChances,
  lineAnswerSchema,
  liveChancesSchema,
  type PosedChance,
} from '#domain/chances/chance-messages.ts';
import type { WindowMinutes } from '#domain/chances/clock-window.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { CallError, readRefusal } from '../../../platform/calls/call-error.ts';
import { readEventStream } from '../../../platform/calls/event-stream.ts';
import { reopenedStream } from '../../../platform/calls/reopened-stream.ts';
import { retryingFetch } from '../../../platform/calls/shed-retry.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { accessToken, bearerHeader } from '../../../session/session.ts';
import type { ChartMarket } from '../run/chart-market.ts';

export interface ModelMarket extends ChartMarket {
  model: ModelName;
}

export type LineQuestion = { kind: 'line'; price: number } | { kind: 'first'; target: number; stop: number };
export type MarketQuestion = ModelMarket & { about: LineQuestion };

interface Answered {
  /** The live price that it is computed from. */
  price: number;
  /** When the running bar closes, epoch seconds. */
  firstBarEndS: number;
}

/** At bars 1 to 50; NaN where there is none: the bar is over, or the price is already there. */
interface ByBar {
  above: readonly number[];
  touch: readonly number[];
}

export interface LineReading extends Answered, ByBar {
  kind: 'line';
  baseline: ByBar;
}

interface Shares {
  target: number;
  stop: number;
  /** Neither is reached by the last bar. */
  neither: number;
}

export interface FirstReading extends Answered, Shares {
  kind: 'first';
  baseline: Shares;
  similar: SimilarPast | null;
}

export type ChanceReading = LineReading | FirstReading;

/** @throws CallError with the server's message, or status 0 when it can't be reached; the signal's reason on abort */
export async function fetchChances({ about, ...market }: MarketQuestion, signal: AbortSignal): Promise<ChanceReading> {
  const posed: PosedChance = about.kind === 'first' ? { ...about, bar: HORIZON_BARS } : about;
  const response = await inTime(signal, async (limited) => {
    const headers = { accept: 'application/json', ...(await bearerHeader()) };
    const answer = await retryingFetch(`${CHANCES_PATH}?${queryOf(market, posed)}`, {
      headers,
      signal: limited,
      cache: 'no-store',
    });
    return { status: answer.status, isOk: answer.ok, body: (await answer.json()) as unknown };
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new CallError('network', 'We couldn’t reach the server.', 0, error);
  });
  if (!response.isOk) throw refusalOf(response.body, response.status);
  return about.kind === 'line' ? lineOf(response.body, market) : firstOf(response.body, market);
}

function queryOf({ symbol, model, timeframe }: ModelMarket, posed?: PosedChance): string {
  return chanceQuery({ symbol: symbol.sym, model, timeframe }, posed);
}

function refusalOf(body: unknown, status: number): CallError {
  const { code = 'unknown', message = 'We couldn’t read the server’s response.' } = readRefusal(body);
  return new CallError(code, message, status);
}

function lineOf(body: unknown, market: ModelMarket): LineReading {
  const { price, t0, above, aboveBaseline, touch, touchBaseline } = lineAnswerSchema.parse(body);
  return {
    kind: 'line',
    price,
    firstBarEndS: firstBarEndS(t0, market),
    above: numbersOf(above),
    touch: numbersOf(touch),
    baseline: { above: numbersOf(aboveBaseline), touch: numbersOf(touchBaseline) },
  };
}

function firstOf(body: unknown, market: ModelMarket): FirstReading {
  const { price, t0, similar, chance, baseline, neither = 0, baselineNeither = 0 } = chanceAnswerSchema.parse(body);
  return {
    kind: 'first',
    price,
    similar,
    firstBarEndS: firstBarEndS(t0, market),
    ...sharesOf(chance, neither),
    baseline: sharesOf(baseline, baselineNeither),
  };
}

function firstBarEndS(t0: number, { timeframe }: ModelMarket): number {
  return t0 + 2 * barSecondsOf(timeframe);
}

function sharesOf(target: number, neither: number): Shares {
  return { target, neither, stop: Math.max(0, 1 - target - neither) };
}

function numbersOf(chances: readonly (number | null)[]): number[] {
  return chances.map((chance) => chance ?? Number.NaN);
}

export interface WindowReading {
  minutes: WindowMinutes;
  openMs: number;
  endMs: number;
  open: number;
  chance: number;
  baseline: number;
  similar: SimilarPast | null;
  /** Minutes of it without a candle, which the chance leaves out. */
  missingMinutes: number;
}

/** Or why it has none now. */
export type WindowAnswer = WindowReading | { minutes: WindowMinutes; message: string };

export interface WindowsFrame {
  asOfMs: number;
  price: number;
  windows: readonly WindowAnswer[];
}

/** A frame, or why the market has no chances now. */
export type LiveChanceEvent = { frame: WindowsFrame } | { refusal: CallError };

/**
 * Connects again until `signal` aborts. @param onLost  called whenever the connection is lost
 * @throws CallError when the server refuses
 */
export function followWindows(
  market: ModelMarket,
  signal: AbortSignal,
  onLost: () => void,
): AsyncGenerator<LiveChanceEvent> {
  return reopenedStream((connected) => openWindows(market, connected), signal, onLost);
}

/** @throws CallError when refused, `stream/lost`, or `unknown` for an event of another shape */
async function* openWindows(market: ModelMarket, signal: AbortSignal): AsyncGenerator<LiveChanceEvent> {
  const token = await accessToken();
  const url = `${LIVE_CHANCES_PATH}?${queryOf(market)}`;
  for await (const { event, data } of readEventStream(url, { token, signal })) {
    if (event === LIVE_CHANCES_EVENT) yield eventOf(liveChancesSchema.safeParse(parsedJson(data)).data);
  }
}

function eventOf(live: LiveChances | undefined): LiveChanceEvent {
  if (live === undefined) throw new CallError('unknown', 'We couldn’t read the server’s response.', 0);
  if (!('windows' in live)) return { refusal: new CallError(live.error.code, live.error.message, 409) };
  const windows = live.windows.map((window): WindowAnswer => {
    if ('error' in window) return { minutes: window.minutes, message: window.error.message };
    const { openAt, endAt, by: _by, ...rest } = window;
    return { ...rest, openMs: Date.parse(openAt), endMs: Date.parse(endAt) };
  });
  return { frame: { asOfMs: Date.parse(live.asOf), price: live.price, windows } };
}
