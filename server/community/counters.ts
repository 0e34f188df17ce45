/** One process collects the counters and all read them from the database: a visitor never causes a call. */
import { hash } from 'node:crypto';
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { channelStatsSchema, chatMembersSchema, patronStatsSchema } from '#domain/community/counters.ts';
import { callBudget } from '../platform/feeds/call-budget.ts';
import { callStore } from '../platform/feeds/call-store.ts';
import { feedStore } from '../platform/feeds/feed-store.ts';
import { openFunctionRoutes } from '../platform/http/calls/open-function.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { CommunityOptions } from './community-source.ts';
import { counterFunctions } from './counter-functions.ts';
import { type CounterName, counterStore } from './counter-store.ts';
import { discord } from './discord.ts';
import { patreon } from './patreon.ts';
import { youtube } from './youtube.ts';

export interface Counters {
  routes: Hono;
  close(): Promise<void>;
}

export interface CountersOptions extends CommunityOptions {
  /** Period of a sandbox, which has no allowance. */
  sandboxPeriodMs?: number;
  fetch?: typeof globalThis.fetch | undefined;
}

const MINUTE_MS = 60_000;
const PERIODS_MS = { channel: 15 * MINUTE_MS, members: 10 * MINUTE_MS, patrons: 60 * MINUTE_MS } as const;
const SANDBOX_PERIOD_MS = MINUTE_MS;
/**
 * A key may spend 10,000 units a day. A round costs three, 288 units a day; the limit leaves room for a third more than
 * a month of them, for retries. Units that other programs spend with the same key are not counted.
 */
export const YOUTUBE_CALLS_PER_MONTH = 12_000;
const YOUTUBE_CALLS_PER_ROUND = 3;
/** Three tries of at most 8 s, and the waits between them. */
const QUESTION_LIMIT_MS = 40_000;

const storedChannelSchema = z.pick(channelStatsSchema, {
  title: true,
  subscriberCount: true,
  viewCount: true,
  videos: true,
});
const storedMembersSchema = z.pick(chatMembersSchema, { members: true, online: true });
const storedPatronsSchema = z.pick(patronStatsSchema, { patrons: true });

export function openCounters({ source, database, clock, log, fetch, sandboxPeriodMs }: CountersOptions): Counters {
  const { kind, addresses, keys } = source;
  const isLive = kind === 'live';
  const store = feedStore(database, kind);
  const jobs = jobStore(database);
  const started: Job[] = [];

  /** Named after its settings: a new key or channel is queried immediately, whatever backoff the old one has. */
  function start(name: CounterName, settings: string, periodMs: number, run: (signal: AbortSignal) => Promise<number>) {
    const mark = hash('sha256', settings).slice(0, 8);
    started.push(
      startJob({
        name: `${kind}:${name}:${mark}`,
        periodMs,
        store: jobs,
        log,
        limitMs: YOUTUBE_CALLS_PER_ROUND * QUESTION_LIMIT_MS,
        run: async (signal) => ({ nextInMs: await run(signal) }),
      }),
    );
  }
  const periodOf = (livePeriodMs: number) => (isLive ? livePeriodMs : (sandboxPeriodMs ?? SANDBOX_PERIOD_MS));
  const named = (service: string) => (isLive ? service : 'Sandbox services');

  function openChannel({ key, channelId }: { key: string; channelId: string }) {
    const periodMs = periodOf(PERIODS_MS.channel);
    const budget = isLive
      ? callBudget({
          feed: 'youtube',
          callsPerMonth: YOUTUBE_CALLS_PER_MONTH,
          callsPerRound: YOUTUBE_CALLS_PER_ROUND,
          calls: callStore(database),
          clock,
        })
      : null;
    const watchUrl = isLive ? 'https://www.youtube.com/watch?v=' : 'https://example.com/watch?v=';
    const api = youtube({ restUrl: addresses.youtubeUrl, key, channelId, watchUrl, log, spend: budget?.spend, fetch });
    const counter = counterStore({
      store,
      name: 'channel-stats',
      subject: channelId,
      schema: storedChannelSchema,
      attribution: named('YouTube'),
      clock,
    });
    start('channel-stats', `${key} ${channelId}`, periodMs, async (signal) => {
      const { counts, uploads } = await api.channel(signal);
      try {
        const videos = uploads === null ? [] : await api.videos(uploads, signal);
        await counter.put({ ...counts, videos });
      } catch (error) {
        // The counts are valid without new videos, and the last videos remain playable.
        await counter.put({ ...counts, videos: (await counter.last()).value?.videos ?? [] });
        throw error;
      }
      return (await budget?.nextInMs(periodMs)) ?? periodMs;
    });
    return counter.last;
  }

  function openMembers(invite: string) {
    const periodMs = periodOf(PERIODS_MS.members);
    const fetchMembers = discord({ restUrl: addresses.discordUrl, invite, log, fetch });
    const counter = counterStore({
      store,
      name: 'chat-members',
      subject: invite,
      schema: storedMembersSchema,
      attribution: named('Discord'),
      clock,
    });
    start('chat-members', invite, periodMs, async (signal) => {
      await counter.put(await fetchMembers(signal));
      return periodMs;
    });
    return counter.last;
  }

  function openPatrons(token: string) {
    const periodMs = periodOf(PERIODS_MS.patrons);
    const fetchPatrons = patreon({ restUrl: addresses.patreonUrl, token, log, fetch });
    const counter = counterStore({
      store,
      name: 'patron-stats',
      // The token does not reveal whose it is.
      subject: '',
      schema: storedPatronsSchema,
      attribution: named('Patreon'),
      clock,
    });
    start('patron-stats', token, periodMs, async (signal) => {
      await counter.put(await fetchPatrons(signal));
      return periodMs;
    });
    return counter.last;
  }

  const readers = {
    channel: keys.youtube === null ? null : openChannel(keys.youtube),
    members: keys.discordInvite === null ? null : openMembers(keys.discordInvite),
    patrons: keys.patreonToken === null ? null : openPatrons(keys.patreonToken),
  };
  return {
    routes: openFunctionRoutes(counterFunctions({ kind, readers, log })),
    async close() {
      await Promise.all(started.map((job) => job.close()));
    },
  };
}
