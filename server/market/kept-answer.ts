/** What feeds whose answers are kept and passed on have in common: headers, and what a late answer is. */
import { AppError } from '#domain/errors/app-error.ts';
import type { CachedAnswer } from './cached-answer.ts';

/**
 * Headers of an answer that was kept for a while: how long others may keep it, and from when it is. No `age`: browsers
 * would count it against the half minute, and ask again at once.
 */
export function keptFor({ fetchedAtMs, isStale }: CachedAnswer<unknown>): Record<string, string> {
  return {
    'cache-control': 'public, max-age=30',
    'x-fetched-at': new Date(fetchedAtMs).toISOString(),
    'x-stale': String(isStale),
  };
}

/** @throws AppError `venue/unavailable` for an answer that came too late, like any other that did not come */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? new AppError('venue/unavailable', { cause: error }) : error;
  }
}
