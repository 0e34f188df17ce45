/** alternative.me's Fear and Greed Index, which changes once a day. Its terms require attribution beside the figure. */
import { type FearGreedAnswer, fearGreedSchema } from '#domain/market/reference/fear-greed.ts';
import { type Ask, feedRequests } from '../../../platform/feeds/feed-requests.ts';
import { jsonOf } from '../../../platform/feeds/read-json.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

export interface FearGreedOptions {
  restUrl: string;
  log: Logger;
  fetch?: typeof fetch | undefined;
}

export function fearGreed({ restUrl, log, fetch }: FearGreedOptions): Ask<FearGreedAnswer> {
  const requests = feedRequests({ baseUrl: restUrl, log, fetch });
  return requests.question({ path: '/fng/', query: { limit: 1 }, read: jsonOf(fearGreedSchema) });
}
