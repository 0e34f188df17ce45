/** GET requests for JSON, with the time limit of every call. */
import { CallError } from './call-error.ts';
import { retryingFetch } from './shed-retry.ts';
import { inTime } from './time-limit.ts';

export interface JsonRequest<T> {
  signal: AbortSignal;
  /** Reads the body of an accepted request. It throws if the body has another shape. */
  read(body: unknown, headers: Headers): T | Promise<T>;
  /** Of the error for every failure. */
  failure: { code: string; message: string };
}

/** @throws CallError if refused (with the status), too late, or of another shape; the signal's reason on abort */
export async function fetchJson<T>(path: string, { signal, read, failure }: JsonRequest<T>): Promise<T> {
  const failed = (status: number, cause?: unknown) => new CallError(failure.code, failure.message, status, cause);
  try {
    return await inTime(signal, async (limited) => {
      const response = await retryingFetch(path, { signal: limited, headers: { accept: 'application/json' } });
      if (!response.ok) throw failed(response.status);
      return await read(await response.json(), response.headers);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : failed(0, error);
  }
}

/** From a header with a date; null if it has none. */
export function headerTimeMs(headers: Headers, name: string): number | null {
  const timeMs = Date.parse(headers.get(name) ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
}
