import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import { invalid, missing } from '../model/refusal.ts';
import type { created } from './endpoint.ts';

export interface PageParams {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?: z.infer<typeof created> | undefined;
}

/** @param rows  oldest first. @throws PaymentRefusal */
export function pageOf<R extends { id: string; created: number }, T>(
  rows: readonly R[],
  view: (row: R) => T,
  params: PageParams & { url: string },
): Stripe.ApiList<T> {
  const { url, limit = 10, starting_after, ending_before } = params;
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', { param: 'limit' });
  if (starting_after !== undefined && ending_before !== undefined)
    throw invalid('You can only specify one of `starting_after` or `ending_before`.', { param: 'ending_before' });
  const newestFirst = rows.toReversed().filter((row) => isWithin(row.created, params.created));
  const placeOf = (id: string, param: string) => {
    const place = newestFirst.findIndex((row) => row.id === id);
    if (place === -1) throw missing('object', id, param);
    return place;
  };
  if (ending_before !== undefined) {
    const end = placeOf(ending_before, 'ending_before');
    const data = newestFirst.slice(Math.max(0, end - limit), end).map(view);
    return { object: 'list', data, has_more: end > limit, url };
  }
  const start = starting_after === undefined ? 0 : placeOf(starting_after, 'starting_after') + 1;
  const data = newestFirst.slice(start, start + limit).map(view);
  return { object: 'list', data, has_more: start + limit < newestFirst.length, url };
}

function isWithin(moment: number, range: PageParams['created']): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return moment === range;
  const { gt, gte, lt, lte } = range;
  return (
    moment > (gt ?? Number.NEGATIVE_INFINITY) &&
    moment >= (gte ?? Number.NEGATIVE_INFINITY) &&
    moment < (lt ?? Number.POSITIVE_INFINITY) &&
    moment <= (lte ?? Number.POSITIVE_INFINITY)
  );
}
