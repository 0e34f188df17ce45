/** Community counters as a server has them: collectors on a sandbox over HTTP, one database, our own addresses. */
import type { Hono } from 'hono';
import { afterEach, expect, vi } from 'vitest';
import {
  type ChannelStats,
  type ChatMembers,
  channelStatsSchema,
  chatMembersSchema,
  type PatronStats,
  patronStatsSchema,
} from '#domain/community/counters.ts';
import { type CommunitySandbox, startCommunitySandbox } from '../../../../sandbox/community/community-sandbox.ts';
import { sandboxCommunity } from '../../../../sandbox/community/sandbox-community.ts';
import { createApp } from '../../../../server/app.ts';
import type { CommunitySource } from '../../../../server/community/community-source.ts';
import { type CountersOptions, openCounters } from '../../../../server/community/counters.ts';
import { OWNER, type Row } from '../../../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind, testLog } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';

const PATHS = {
  channel: '/functions/v1/channel-stats',
  members: '/functions/v1/chat-members',
  patrons: '/functions/v1/patron-stats',
} as const;
export interface CountersServer {
  app: Hono;
  /** Paths requested from the services, without the sandbox's address. */
  calls: { path: string; headers: Headers }[];
  channel(): Promise<ChannelStats>;
  members(): Promise<ChatMembers>;
  patrons(): Promise<PatronStats>;
  /** All three counters are known. */
  untilReported(): Promise<void>;
  close(): Promise<void>;
}

export interface CountersWorld {
  sandbox: CommunitySandbox;
  source: CommunitySource;
  /** Another server process on the same database. */
  open(options?: Partial<CountersOptions>): CountersServer;
  /** The same, as live: with allowances, periods of minutes, and the services' own names. */
  openLive(options?: Partial<CountersOptions>): CountersServer;
  query(text: string): Promise<Row[]>;
  /** Leaves counters of ten minutes ago, of a server that has stopped since. */
  collectOnce(): Promise<void>;
  /** @param job  its name without the kind and settings */
  untilFailed(job: string): Promise<void>;
}

/** One database for all tests of a block, and a sandbox for each. */
export function countersWorldForTests(kind: TestDatabaseKind): () => Promise<CountersWorld> {
  const opened = openedForTests(() => openTestDatabase(kind));
  const undo: (() => Promise<unknown>)[] = [];
  const query = (text: string) => opened().query(OWNER, text);
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    for (const table of ['jobs', 'feed_values', 'feed_calls']) await query(`delete from private.${table}`);
  });

  return async () => {
    const clock = { nowMs: () => Date.now() };
    const sandbox = await startCommunitySandbox({ clock, hasFaultControl: false });
    undo.push(() => sandbox.close());
    const source = sandboxCommunity(sandbox);

    function open(options: Partial<CountersOptions> = {}): CountersServer {
      const calls: CountersServer['calls'] = [];
      const counters = openCounters({
        source,
        database: opened(),
        clock,
        log: testLog,
        fetch: (input, init) => {
          calls.push({ path: String(input).slice('http://127.0.0.1:'.length), headers: new Headers(init?.headers) });
          return fetch(input, init);
        },
        ...options,
      });
      undo.push(() => counters.close());
      const [isHttps, siteDir] = [false, import.meta.dirname];
      const app = createApp({ log: testLog, isHttps, siteDir, isOwnHost: () => true, routes: [counters.routes] });
      const read = async (path: string): Promise<unknown> => {
        const answer = await app.request(path);
        expect(answer.status).toBe(200);
        return answer.json();
      };
      const server: CountersServer = {
        app,
        calls,
        channel: async () => channelStatsSchema.parse(await read(PATHS.channel)),
        members: async () => chatMembersSchema.parse(await read(PATHS.members)),
        patrons: async () => patronStatsSchema.parse(await read(PATHS.patrons)),
        untilReported: () =>
          vi.waitFor(async () => {
            expect((await server.channel()).viewCount).not.toBe(null);
            expect((await server.members()).members).not.toBe(null);
            expect((await server.patrons()).patrons).not.toBe(null);
          }),
        close: () => counters.close(),
      };
      return server;
    }

    return {
      sandbox,
      source,
      open,
      openLive: (options = {}) => open({ source: { ...source, kind: 'live' }, ...options }),
      query,
      async collectOnce() {
        const server = open();
        await server.untilReported();
        await server.close();
        await query("update private.jobs set next_due_at = now() + interval '0 s'");
        await query("update private.feed_values set fetched_at = fetched_at - interval '10 minutes'");
      },
      untilFailed: (job) =>
        vi.waitFor(async () => {
          const text = `select from private.jobs where name like '%:${job}:%' and failures > 0`;
          expect(await query(text)).toHaveLength(1);
        }),
    };
  };
}
