import { type LatestForecast, latestForecastSchema } from '#domain/forecast/latest-forecast.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { CallError, readRefusal } from '../platform/calls/call-error.ts';
import { serverMessage } from '../platform/calls/server-message.ts';
import { retryingFetch } from '../platform/calls/shed-retry.ts';
import { inTime } from '../platform/calls/time-limit.ts';

const PATH = `/forecast/latest?sym=${PUBLIC_FORECAST.sym}`;

/** The minute turns for all clients at the same time; this spreads their requests. */
const SPREAD_MS = 2000;
/** The venue's minute may turn slightly after the clock's. */
const AFTER_MS = 1000;
const LEAST_MS = 5000;

const UNREADABLE = 'We couldn’t read the response.';

export interface FetchedForecast {
  latest: LatestForecast;
  /** Time until the next forecast can exist, counted from this one's arrival. */
  refreshInMs: number;
}

/** @throws CallError with a message for users */
export async function fetchLatest(signal: AbortSignal): Promise<FetchedForecast> {
  try {
    return await inTime(signal, requestLatest);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CallError) throw error;
    throw new CallError('network', 'The server didn’t respond in time.', 0, error);
  }
}

async function requestLatest(signal: AbortSignal): Promise<FetchedForecast> {
  const response = await reach(signal);
  const body = await bodyOf(response, signal);
  if (!response.ok) throw refusalOf(body, response.status);
  const parsed = latestForecastSchema.safeParse(body);
  if (!parsed.success) throw new CallError('unknown', UNREADABLE, response.status, parsed.error);
  return { latest: parsed.data, refreshInMs: refreshInMs(response.headers) };
}

async function reach(signal: AbortSignal): Promise<Response> {
  try {
    // Revalidates by ETag, so that the lifetime counts from now and not from when the answer was cached.
    return await retryingFetch(PATH, { signal, headers: { accept: 'application/json' }, cache: 'no-cache' });
  } catch (error) {
    signal.throwIfAborted();
    throw new CallError('network', 'We couldn’t reach the server.', 0, error);
  }
}

async function bodyOf(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    throw new CallError('unknown', UNREADABLE, response.status, error);
  }
}

function refusalOf(body: unknown, status: number): CallError {
  const { code = 'unknown', message = '' } = readRefusal(body);
  // The server's message addresses paying users.
  if (code === 'forecast/failed') return new CallError(code, 'The model couldn’t make this minute’s forecast.', status);
  return new CallError(code, serverMessage({ code, message }, UNREADABLE), status);
}

function refreshInMs(headers: Headers): number {
  const maxAgeS = Number(/max-age=(\d{1,3})/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0);
  const ageS = Number(headers.get('age') ?? 0) || 0;
  return Math.max(LEAST_MS, (maxAgeS - ageS) * 1000) + AFTER_MS + Math.random() * SPREAD_MS;
}
