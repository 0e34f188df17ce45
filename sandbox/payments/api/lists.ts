/** Lists of the API: newest first, page by page. */
import type Stripe from 'stripe';
import { invalid, missing } from '../model/refusal.ts';

export interface PageParams {
  limit?: number | undefined;
  starting_after?: string | undefined;
}

/** @param rows  oldest first. @throws Refusal */
export function pageOf<R extends { id: string }, T>(
  rows: readonly R[],
  view: (row: R) => T,
  { url, limit = 10, starting_after }: PageParams & { url: string },
): Stripe.ApiList<T> {
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', { param: 'limit' });
  const newestFirst = rows.toReversed();
  const start = starting_after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === starting_after) + 1;
  if (start === 0 && starting_after !== undefined) throw missing('object', starting_after, 'starting_after');
  const data = newestFirst.slice(start, start + limit).map(view);
  return { object: 'list', data, has_more: start + limit < rows.length, url };
}
