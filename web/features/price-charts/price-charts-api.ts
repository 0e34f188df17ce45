/** Weekly and monthly closes, from our own origin in the exchange's format. */
import * as z from 'zod/mini';
import { type KrakenRow, parseKrakenOhlc } from '#domain/market/codecs/kraken-ohlc.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { headerTimeMs } from '../../platform/calls/fetch-json.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

export interface PriceBars {
  /** Oldest first; the last is not finished. */
  closes: { timeS: number; value: number }[];
  /** When the exchange was queried; null if the server does not report it. */
  fetchedAtMs: number | null;
  isStale: boolean;
  /** 'Kraken', or the name of its sandbox. */
  attribution: string | null;
  kind: MarketKind | null;
}

const TOO_LATE = 'the server didn’t respond in time';
const UNREADABLE = 'we couldn’t read the response';

/** The exchange's format: an empty list of errors beside the rows. */
const ohlcErrorsSchema = z.object({ error: z.array(z.string()) });

/**
 * @param pair     as the exchange names it: 'XBTUSD'  @param minutes  of a bar: 10080 or 43200
 * @throws CallError whose message is the exchange's or the network's
 */
export async function fetchBars(pair: string, minutes: number, signal: AbortSignal): Promise<PriceBars> {
  const query = new URLSearchParams({ pair, interval: String(minutes) });
  const { response, body } = await answerInTime(`/0/public/OHLC?${query}`, signal);
  return {
    closes: closesOf(body),
    fetchedAtMs: headerTimeMs(response.headers, 'x-fetched-at'),
    isStale: response.headers.get('x-market-stale') === 'true',
    attribution: response.headers.get('x-market-attribution'),
    kind: MARKET_KINDS.find((kind) => kind === response.headers.get('x-market-kind')) ?? null,
  };
}

async function answerInTime(path: string, signal: AbortSignal): Promise<{ response: Response; body: unknown }> {
  try {
    return await inTime(signal, async (limited) => {
      const response = await request(path, limited);
      return { response, body: await bodyOf(response, limited) };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : new CallError('network', TOO_LATE, 0, error);
  }
}

async function request(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await retryingFetch(path, { signal, headers: { accept: 'application/json' } });
  } catch (error) {
    signal.throwIfAborted();
    throw new CallError('network', 'we couldn’t reach the server', 0, error);
  }
}

async function bodyOf(response: Response, signal: AbortSignal): Promise<unknown> {
  if (!response.ok) throw new CallError('bars', `HTTP ${response.status}`, response.status);
  try {
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    throw new CallError('bars', UNREADABLE, response.status, error);
  }
}

function closesOf(body: unknown): PriceBars['closes'] {
  const answer = ohlcErrorsSchema.safeParse(body);
  if (!answer.success) throw new CallError('bars', UNREADABLE, 200, answer.error);
  const { error } = answer.data;
  if (error.length > 0) throw new CallError('bars', error.join(', '), 200);
  return rowsOf(body).map(([timeS, , , , close]) => ({ timeS, value: Number(close) }));
}

function rowsOf(body: unknown): readonly KrakenRow[] {
  try {
    return parseKrakenOhlc(body).rows;
  } catch (error) {
    throw new CallError('bars', UNREADABLE, 200, error);
  }
}
