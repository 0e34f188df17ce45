/** The community sandbox on loopback: simulates news feeds, video channel, chat invitation and patrons. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#domain/time/clock.ts';
import { answerFaultControl, CONTROL_PATH } from '../faults/fault-control.ts';
import { type Faults, openFaults } from '../faults/faults.ts';
import { sendBroken } from '../faults/rest-faults.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { sendAnswer } from '../rest-answer.ts';
import { discord } from './discord.ts';
import { news } from './news.ts';
import { NEWS_FEEDS } from './news-feeds.ts';
import { patreon } from './patreon.ts';
import type { CommunityService } from './service.ts';
import { youtube } from './youtube.ts';

export interface SandboxFeed {
  name: string;
  url: string;
}

export interface CommunitySandboxOptions {
  clock: Clock;
  hasFaultControl: boolean;
  /** Absent: 10,000. */
  youtubeUnitsPerDay?: number;
}

export interface CommunitySandbox {
  newsFeeds: readonly SandboxFeed[];
  youtubeUrl: string;
  discordUrl: string;
  patreonUrl: string;
  /** Injected faults; none at the start. */
  faults: Faults;
  /** Sets the same over HTTP; null without fault control. */
  faultControlUrl: string | null;
  close(): Promise<void>;
}

export async function startCommunitySandbox(options: CommunitySandboxOptions): Promise<CommunitySandbox> {
  const { clock, hasFaultControl, youtubeUnitsPerDay } = options;
  const faults = openFaults();
  const all = [news(), youtube({ unitsPerDay: youtubeUnitsPerDay }), discord(), patreon()];
  const services = new Map(all.map((service) => [service.name, service]));
  const server = createServer((request, response) => {
    if (hasFaultControl && request.url === CONTROL_PATH) void answerFaultControl(request, response, faults);
    else answer(request, response, { services, faults, clock });
  });
  const base = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    newsFeeds: NEWS_FEEDS.map(({ name, path }) => ({ name, url: base + path })),
    youtubeUrl: `${base}/youtube`,
    discordUrl: `${base}/discord`,
    patreonUrl: `${base}/patreon`,
    faults,
    faultControlUrl: hasFaultControl ? base + CONTROL_PATH : null,
    async close() {
      await closeServer(server);
    },
  };
}

interface Parts {
  services: ReadonlyMap<string, CommunityService>;
  faults: Faults;
  clock: Clock;
}

function answer(request: IncomingMessage, response: ServerResponse, { services, faults, clock }: Parts): void {
  const [, name = '', target = '/'] = /^\/([^/?]*)(.*)$/.exec(request.url ?? '/') ?? [];
  const service = services.get(name);
  const url = URL.parse(target, 'http://localhost');
  if (service === undefined || url === null) {
    sendAnswer(response, { status: 404, body: { error: 'Not found' } });
    return;
  }
  if (request.method !== 'GET') {
    sendAnswer(response, { status: 405, body: { error: 'Method not allowed' } });
    return;
  }
  const search = target.includes('?') ? target.slice(target.indexOf('?')) : '';
  const fault = faults.strikeRequest(name, target);
  // A 304 answer has no content for a fault to change.
  const headers = fault === null ? request.headers : unconditional(request.headers);
  const whole = () =>
    service.answer({ path: url.pathname, search, query: url.searchParams, headers, nowMs: clock.nowMs() });
  if (fault === null) sendAnswer(response, whole());
  else sendBroken(response, fault, whole, service.refusal?.bind(service));
}

function unconditional(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { 'if-none-match': _tag, 'if-modified-since': _date, ...others } = headers;
  return others;
}
