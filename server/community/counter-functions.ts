/** From our own database only. Always answers 200, with null for an unknown count. */

import type { ChannelStats, ChatMembers, PatronStats } from '#domain/community/counters.ts';
import type { FeedKind } from '../platform/feeds/feed-store.ts';
import { readRouteQuery } from '../platform/http/calls/contract-route.ts';
import type { OpenFunction } from '../platform/http/calls/open-function.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { Counted, CounterName } from './counter-store.ts';
import type { MemberCounts } from './discord.ts';
import type { PatronCount } from './patreon.ts';

export type ChannelFigures = Pick<ChannelStats, 'title' | 'subscriberCount' | 'viewCount' | 'videos'>;

/** Null for a service that isn't configured. */
export interface CounterReaders {
  channel: (() => Promise<Counted<ChannelFigures>>) | null;
  members: (() => Promise<Counted<MemberCounts>>) | null;
  patrons: (() => Promise<Counted<PatronCount>>) | null;
}

export interface CounterFunctionsDeps {
  kind: FeedKind;
  readers: CounterReaders;
  log: Logger;
}

const MAX_AGE_S = 60;
/** Another process may have stored a newer one. */
const REREAD_MS = 2000;
/** No count is known: the first answer may be seconds away. */
const RETRY_MS = 250;

const NO_CHANNEL: ChannelFigures = { title: null, subscriberCount: null, viewCount: null, videos: [] };
const NO_MEMBERS: MemberCounts = { members: null, online: null };
const NO_PATRONS: PatronCount = { patrons: null };

export function counterFunctions({ kind, readers, log }: CounterFunctionsDeps): OpenFunction[] {
  type Body = ChannelStats | ChatMembers | PatronStats;

  function counter<T extends ChannelFigures | MemberCounts | PatronCount>(
    name: CounterName,
    read: (() => Promise<Counted<T>>) | null,
    nothing: T,
    toBody: (value: T, rest: Pick<Body, 'kind' | 'fetchedAt'>) => Body,
  ): OpenFunction {
    const load = async (): Promise<Counted<T>> => {
      try {
        return (await read?.()) ?? { value: null, fetchedAtMs: null };
      } catch (error) {
        // A restarting database must not fail a page.
        log.warn({ counter: name, err: error }, 'a community counter could not be read');
        return { value: null, fetchedAtMs: null };
      }
    };
    const last = remember(load, ({ value }) => (value === null ? RETRY_MS : REREAD_MS));
    return {
      name,
      maxAgeS: MAX_AGE_S,
      async answer(query) {
        readRouteQuery(`/functions/v1/${name}`, query);
        const { value, fetchedAtMs } = await last();
        const fetchedAt = fetchedAtMs === null ? null : new Date(fetchedAtMs).toISOString();
        const body = { ...toBody(value ?? nothing, { kind, fetchedAt }) };
        // The first answer of a service is seconds away.
        const isPassing = value === null && read !== null;
        return { status: 200, body, ...(isPassing ? { headers: { 'cache-control': 'no-store' } } : {}) };
      },
    };
  }

  return [
    counter('channel-stats', readers.channel, NO_CHANNEL, (value, rest): ChannelStats => ({ ...rest, ...value })),
    counter('chat-members', readers.members, NO_MEMBERS, (value, rest): ChatMembers => ({ ...rest, ...value })),
    counter('patron-stats', readers.patrons, NO_PATRONS, (value, rest): PatronStats => ({ ...rest, ...value })),
  ];
}

/** Shares one load among all calls until it expires; the loaded value decides when. @param load  never rejects */
function remember<T>(load: () => Promise<T>, forMs: (value: T) => number): () => Promise<T> {
  let cached: { untilMs: number; value: Promise<T> } | null = null;
  return () => {
    if (cached !== null && performance.now() < cached.untilMs) return cached.value;
    const entry = { untilMs: Number.POSITIVE_INFINITY, value: load() };
    cached = entry;
    void entry.value.then((value) => {
      entry.untilMs = performance.now() + forMs(value);
    });
    return entry.value;
  };
}
