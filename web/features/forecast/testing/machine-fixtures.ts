import { vi } from 'vitest';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { type CandleFeed, createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import type { Patience } from '../../../platform/calls/shed-retry.ts';
import type { CandleSource } from '../run/candle-source.ts';
import type { ForecastEvent } from '../run/forecast-api.ts';
import { createForecastMachine, type ForecastMachine } from '../run/forecast-machine.ts';
import type { ForecastPorts, ForecastRequest, Remembered } from '../run/forecast-run.ts';
import type { History } from '../run/history-api.ts';
import { aStart, candlesUntil, forecastPath, T0 } from './forecast-fixtures.ts';

/** The stream's next step: an event, a failure, or a wait. */
export type Step = ForecastEvent | Error | Promise<unknown>;

export const REQUEST: ForecastRequest = {
  userId: 'u1',
  symbol: DEFAULT_SYMBOL,
  timeframe: DEFAULT_TIMEFRAME,
  model: 'bobcat',
  ampPercent: 100,
  isAdmin: false,
};

export const start = (change = {}): Step => ({ type: 'start', id: 'r1:0', start: aStart(change) });
export const candles = (from = 0, to = 50): Step[] =>
  forecastPath()
    .slice(from, to)
    .map((candle, i) => ({ type: 'candle', id: `r1:${from + i + 1}`, candle }));

const A_SOURCE: CandleSource = {
  attribution: 'Sandbox market',
  delayS: 0,
  isStale: false,
  closedAtMs: (T0 + 60) * 1000,
  answeredAtMs: (T0 + 65) * 1000,
  receivedAtMs: (T0 + 65) * 1000,
};

export function aHistory(lastS = T0, change: Partial<History> = {}): History {
  return { candles: candlesUntil(lastS, 450), marketKind: 'replayed', isMarketOpen: true, source: A_SOURCE, ...change };
}

export interface MachineUnderTest {
  machine: ForecastMachine;
  ports: ForecastPorts;
  feed: CandleFeed;
  /** For each opening of the stream, the id of the event to resume after. */
  opened: (string | null)[];
  /** How long each opening may wait for an overloaded server. */
  patience: Patience[];
  /** The entry that a reload would find. */
  recalled(): Remembered | null;
}

/** Sends `streams`, one list each time the stream is opened. */
export function aMachine(
  streams: Step[][] = [[start(), ...candles()]],
  change: Partial<ForecastPorts> = {},
): MachineUnderTest {
  const opened: (string | null)[] = [];
  const waits: Patience[] = [];
  let remembered: Remembered | null = null;
  const ports = {
    loadHistory: vi.fn(async () => aHistory()),
    async *openStream(_request: unknown, lastEventId: string | null, _signal: AbortSignal, patience: Patience) {
      opened.push(lastEventId);
      waits.push(patience);
      for (const step of streams.shift() ?? []) {
        if (step instanceof Promise) await step;
        else if (step instanceof Error) throw step;
        else yield step;
      }
    },
    save: vi.fn(async () => null),
    loadStored: vi.fn(async () => null),
    memory: {
      remember: (entry: Remembered) => {
        remembered = entry;
      },
      recall: () => remembered,
      forget: vi.fn((reservationId?: string | null) => {
        if (reservationId === undefined || reservationId === remembered?.reservationId) remembered = null;
      }),
    },
    notify: vi.fn(),
    report: vi.fn(),
    onEnded: vi.fn(),
    ...change,
  };
  const feed = createCandleFeed();
  const recalled = () => remembered;
  return { machine: createForecastMachine(ports, feed), ports, feed, opened, patience: waits, recalled };
}
