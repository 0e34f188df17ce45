/** What pages, phones and monitoring read of the site itself. */
import * as z from 'zod/mini';
import { channelStatsSchema, chatMembersSchema, patronStatsSchema } from '../community/counters.ts';
import { publicConfigSchema } from '../config/public-config.ts';
import { EVENTS_QUERY, SESSIONS_QUERY } from '../market/calendar/calendar-messages.ts';
import { siteSettingsSchema } from '../site/site-settings.ts';
import { routeContract } from './route-contract.ts';

const allowed = { crossOrigin: 'allowed' } as const;
const nothing = z.object({});

export const SITE_ROUTES = {
  '/config.json': routeContract({
    ...allowed,
    answers: 'json',
    answer: publicConfigSchema,
    docs: 'what pages need to start',
  }),
  '/site.json': routeContract({
    ...allowed,
    answers: 'json',
    answer: siteSettingsSchema,
    docs: 'the operator’s texts and links',
  }),
  '/donations/{file}': routeContract({ answers: 'picture', docs: 'a QR code' }),
  '/simulator-pictures/{place}': routeContract({ answers: 'picture', docs: 'the operator’s pictures' }),
  '/news/images/{name}': routeContract({ answers: 'picture', docs: 'our copy of a news picture' }),
  '/functions/v1/ff-proxy': routeContract({
    ...allowed,
    // Exactly one of them.
    query: z.object({
      path: z.optional(z.literal(SESSIONS_QUERY.value)),
      type: z.optional(z.literal(EVENTS_QUERY.value)),
    }),
    unknown: 'named',
    example: { path: SESSIONS_QUERY.value },
    answers: 'json',
    docs: 'trading sessions, or holidays and announcements',
  }),
  '/functions/v1/channel-stats': routeContract({
    ...allowed,
    query: nothing,
    unknown: 'named',
    answers: 'json',
    answer: channelStatsSchema,
    docs: 'the channel’s counters and videos',
  }),
  '/functions/v1/chat-members': routeContract({
    ...allowed,
    query: nothing,
    unknown: 'named',
    answers: 'json',
    answer: chatMembersSchema,
    docs: 'members of the chat',
  }),
  '/functions/v1/patron-stats': routeContract({
    ...allowed,
    query: nothing,
    unknown: 'named',
    answers: 'json',
    answer: patronStatsSchema,
    docs: 'patrons',
  }),
  '/push/renewals': routeContract({
    method: 'POST',
    answers: 'json',
    docs: 'a browser’s renewed subscription; the former one’s secret stands for the account',
  }),
  '/healthz': routeContract({ answers: 'json', workClass: null, docs: 'the process runs' }),
  '/readyz': routeContract({ answers: 'json', workClass: null, docs: 'it can serve' }),
  '/metrics': routeContract({ answers: 'text', caller: 'token', workClass: null, docs: 'figures for Prometheus' }),
};
