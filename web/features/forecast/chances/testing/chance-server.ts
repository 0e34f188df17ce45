/** Answers of GET /chances and frames of GET /chances/live, as the server writes them. */
import type { ChanceAnswer, ChanceMarket, LineAnswer, LiveChances } from '#domain/chances/chance-messages.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type FakeBackend, json, type SeenRequest } from '../../../../platform/testing/fake-backend.ts';

export const PRICE = 100_000;
const MARKET_KIND = 'simulated' as const;
const MARKET: ChanceMarket = { symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '1min' };
const t0Of = (nowMs: number) => Math.floor(nowMs / 60_000) * 60 - 60;

function moment(nowMs: number) {
  return {
    ...MARKET,
    modelVersion: 'bobcat-0',
    marketKind: MARKET_KIND,
    t0: t0Of(nowMs),
    price: PRICE,
    asOf: new Date(nowMs).toISOString(),
  } as const;
}

/** Further lines are less likely: a tenth of a per cent costs ten points. */
export function aLine(price: number): LineAnswer {
  const beyond = Math.max(0.02, 0.5 - Math.abs(price / PRICE - 1) * 100);
  const above = price >= PRICE ? beyond : 1 - beyond;
  const bars = (value: number) => Array.from({ length: HORIZON_BARS }, () => value);
  return {
    ...moment(Date.now()),
    question: { kind: 'line', price },
    above: bars(above),
    aboveBaseline: bars(above * 0.9),
    touch: bars(beyond * 1.5),
    touchBaseline: bars(beyond * 1.2),
  };
}

export function aFirst(target: number, stop: number, similar: ChanceAnswer['similar'] = null): ChanceAnswer {
  return {
    ...moment(Date.now()),
    question: { kind: 'first', target, stop, bar: HORIZON_BARS },
    chance: 0.41,
    baseline: 0.4,
    neither: 0.22,
    baselineNeither: 0.2,
    by: 'paths',
    similar,
    missingMinutes: 0,
  };
}

type Windows = Extract<LiveChances, { windows: unknown }>['windows'];

/** @param chance  of each running window */
export function aFrame(chance: number, change: { price?: number; windows?: Windows } = {}): LiveChances {
  const nowMs = Date.now();
  const windows = ([5, 15, 60] as const).map((minutes) => {
    const openMs = Math.floor(nowMs / (minutes * 60_000)) * minutes * 60_000;
    const iso = (timeMs: number) => new Date(timeMs).toISOString();
    return {
      minutes,
      openAt: iso(openMs),
      endAt: iso(openMs + minutes * 60_000),
      open: 99_950,
      chance,
      baseline: 0.55,
      by: 'quantiles' as const,
      similar: { count: 1240, happened: 756 },
      missingMinutes: 0,
    };
  });
  return { ...moment(nowMs), windows, ...change };
}

export const aRefusal = (code: string, message: string, status: number): Response =>
  json({ error: message, code }, status);

export interface ChanceServer {
  /** Sends a frame to each connection that is open. */
  send(frame: LiveChances): void;
  /** Ends every connection. */
  drop(): void;
}

/** Answers each line, and opens a stream whose first frame is `first`. */
export function chanceServer(backend: FakeBackend, first: () => LiveChances = () => aFrame(0.63)): ChanceServer {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoded = (frame: LiveChances) =>
    new TextEncoder().encode(`event: chances\ndata: ${JSON.stringify(frame)}\n\n`);
  backend.on('GET /chances', ({ search }) => json(answerTo(search)));
  backend.on('GET /chances/live', ({ signal }: SeenRequest) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        open.add(controller);
        controller.enqueue(encoded(first()));
        signal?.addEventListener('abort', () => {
          if (open.delete(controller)) controller.error(signal.reason);
        });
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  return {
    send(frame) {
      for (const controller of open) controller.enqueue(encoded(frame));
    },
    drop() {
      for (const controller of open) controller.close();
      open.clear();
    },
  };
}

function answerTo(search: string) {
  const params = new URLSearchParams(search);
  const number = (name: string) => Number(params.get(name));
  return params.get('kind') === 'line' ? aLine(number('price')) : aFirst(number('target'), number('stop'));
}
