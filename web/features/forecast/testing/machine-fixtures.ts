/** A machine in front of a fake server, whose streams a test scripts step by step. */
import { type Mock, vi } from 'vitest';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { toColumns } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { type CandleFeed, createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { type FakeBackend, fakeBackend, json, type SeenRequest } from '../../../platform/testing/fake-backend.ts';
import { signedIn } from '../../../session/testing/signed-in.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { createForecastMachine, type ForecastMachine } from '../run/forecast-machine.ts';
import type { ForecastRequest } from '../run/forecast-state.ts';
import { recallRun, type WatchedRun } from '../run/watched-run.ts';
import { aStart, candlesUntil, forecastPath, T0 } from './forecast-fixtures.ts';

/** The stream's next step: text of its body, the loss of its connection, or a wait. */
export type Step = string | Error | Promise<unknown>;

export const REQUEST: ForecastRequest = {
  userId: 'u1',
  symbol: DEFAULT_SYMBOL,
  timeframe: DEFAULT_TIMEFRAME,
  model: 'bobcat',
  ampPercent: 100,
  isAdmin: false,
};

export const start = (change = {}): Step => `id: r1:0\nevent: start\ndata: ${JSON.stringify(aStart(change))}\n\n`;
export const message = (id: number, body: unknown): Step => `id: r1:${id}\ndata: ${JSON.stringify(body)}\n\n`;
export const candles = (from = 0, to = 50): Step[] =>
  forecastPath()
    .slice(from, to)
    .map((candle, i) => message(from + i + 1, candle));
export const LOST = new TypeError('network error');

const SOURCE_HEADERS = { 'x-market-kind': 'replayed', 'x-market-attribution': 'Sandbox market' };

export function aHistory(lastS = T0, headers: Record<string, string> = {}): Response {
  return Response.json(toColumns(candlesUntil(lastS, 450)), { headers: { ...SOURCE_HEADERS, ...headers } });
}

export const AWAY = (): Response => json({ error: 'Away.', code: 'venue/unavailable' }, 503);
export const BUSY_MESSAGE = 'Kat is busy right now. Please try again in a few seconds.';
export const busy = (): Response => json({ error: BUSY_MESSAGE, code: 'server/busy' }, 503);
/** Asks for another try after so many seconds. The first wait of a request is not shown. */
export const shed = (afterS: number): Response =>
  Response.json(
    { error: BUSY_MESSAGE, code: 'server/busy' },
    { status: 503, headers: { 'x-kat-shed': '1', 'retry-after': String(afterS) } },
  );

export function streamOf(steps: readonly Step[], { signal }: Pick<SeenRequest, 'signal'>): Response {
  const left = [...steps];
  const aborted = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = left.shift();
        if (step === undefined) return controller.close();
        if (typeof step === 'string') return controller.enqueue(new TextEncoder().encode(step));
        if (step instanceof Error) return controller.error(step);
        await Promise.race([step, aborted]);
        if (signal?.aborted) return controller.error(signal.reason);
        // Something has to follow a wait, or the stream is never read again.
        controller.enqueue(new TextEncoder().encode(': \n\n'));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

export interface MachineUnderTest {
  machine: ForecastMachine;
  backend: FakeBackend;
  feed: CandleFeed;
  onEnded: Mock<(row: PredictionRow | null) => void>;
  /** For each opening of the stream, the id of the event to resume after. */
  opened(): (string | null)[];
  /** The candles of each request to save. */
  saved(): unknown[];
  /** Toasts about failures. */
  notified(): unknown[];
  /** Where each error in the log arose, except shown failures. */
  reported(): Promise<unknown[]>;
  /** The entry that a reload would find. */
  recalled(): WatchedRun | null;
}

/** Sends `streams`, one list each time the stream is opened. */
export async function aMachine(streams: Step[][] = [[start(), ...candles()]]): Promise<MachineUnderTest> {
  const backend = fakeBackend();
  const errors = vi.spyOn(toast, 'error');
  backend.on('GET /history', () => aHistory());
  backend.on('GET /stream-kat2', (request) => streamOf(streams.shift() ?? [], request));
  backend.fn('create-prediction', () => json({ ok: true }));
  await signedIn();
  const feed = createCandleFeed();
  const onEnded = vi.fn<(row: PredictionRow | null) => void>();
  return {
    machine: createForecastMachine(feed, onEnded),
    backend,
    feed,
    onEnded,
    opened: () => backend.to('/stream-kat2').map(({ headers }) => headers.get('last-event-id')),
    saved: () => backend.to('/functions/v1/create-prediction').map(({ body }) => (body as { data: unknown }).data),
    notified: () => errors.mock.calls.map(([text]) => text),
    async reported() {
      // A report is sent after the call that reports.
      await new Promise((resolve) => void setTimeout(resolve, 30));
      return backend.errors().flatMap(({ context }) => (context.where === 'shown' ? [] : [context.where]));
    },
    recalled: () => recallRun('u1'),
  };
}
