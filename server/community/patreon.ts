/** Reads the number of patrons of a creator's campaign. The token expires after about a month. */
import * as z from 'zod/mini';
import type { PatronStats } from '#domain/community/counters.ts';
import { type FeedRequest, feedRequests, jsonOf } from '../platform/feeds/feed-requests.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface PatreonOptions {
  restUrl: string;
  /** A creator's access token, scope campaigns. */
  token: string;
  log: Logger;
  fetch?: typeof fetch | undefined;
}

export type PatronCount = Pick<PatronStats, 'patrons'>;

const campaignsSchema = z.object({
  data: z.array(z.object({ attributes: z.object({ patron_count: z.int().check(z.nonnegative()) }) })),
});

export function patreon({ restUrl, token, log, fetch }: PatreonOptions): FeedRequest<PatronCount> {
  const requests = feedRequests({ baseUrl: restUrl, headers: { authorization: `Bearer ${token}` }, log, fetch });
  return requests.question({
    path: '/api/oauth2/v2/campaigns',
    // Sent with percent-encoded brackets: Patreon refuses them otherwise.
    query: { 'fields[campaign]': 'patron_count' },
    read(body) {
      const [campaign] = jsonOf(campaignsSchema)(body).data;
      if (campaign === undefined) throw new Error('no campaign');
      return { patrons: campaign.attributes.patron_count };
    },
  });
}
