/** Server-sent events of the read API: resumed after the last one, ended with the key. */
import { AppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import { invalidParameter, requireGet } from '../../platform/http/calls/http-errors.ts';
import { eventStream, type ServerEvent } from '../../platform/http/streams/event-stream.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { cursorOf } from '../events/event-cursor.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { EventStore } from '../events/event-store.ts';
import { type EventReader, programEvents } from '../events/program-events.ts';
import type { ApiMount } from './api-mount.ts';
import { API_ROUTES } from './api-routes.ts';

/** Watches keys while they are in use. */
export interface KeyWatch {
  /** @returns whether the key still works, and a function that ends the watch */
  watch(keyId: string): { endedBy(): AppError | null; stop(): void };
}

export interface EventAnswerDeps {
  clock: Clock;
  log: Logger;
  events: EventStore;
  feed: EventFeed;
  keys: KeyWatch;
  /** Aborts when the server stops: open streams end, and their readers resume on another process. */
  stopping: AbortSignal;
}

const MOST_STREAMS_A_KEY = 3;
const MOST_STREAMS = 1000;
const RETRY_S = 30;

export function mountEvents({ on }: ApiMount, deps: EventAnswerDeps): void {
  const { clock, log, events: store, feed, keys, stopping } = deps;
  const open = new Map<string, number>();
  let total = 0;

  function take(userId: string): () => void {
    const count = open.get(userId) ?? 0;
    if (count >= MOST_STREAMS_A_KEY || total >= MOST_STREAMS)
      throw new AppError('request/too-many', { details: { retryAfterS: RETRY_S, mostStreams: MOST_STREAMS_A_KEY } });
    open.set(userId, count + 1);
    total += 1;
    return () => {
      const left = (open.get(userId) ?? 1) - 1;
      total -= 1;
      if (left === 0) open.delete(userId);
      else open.set(userId, left);
    };
  }

  async function* held(reader: Omit<EventReader, 'requireKey'>, keyId: string, free: () => void, signal: AbortSignal) {
    const { endedBy, stop } = keys.watch(keyId);
    const requireKey = () => {
      const ended = endedBy();
      if (ended !== null) throw ended;
    };
    try {
      const parts = { store, feed, nowMs: () => clock.nowMs() };
      yield* programEvents(parts, { ...reader, requireKey }, signal) as AsyncIterable<ServerEvent>;
    } finally {
      stop();
      free();
    }
  }

  on(API_ROUTES.events, async ({ c, query: filter, key }) => {
    requireGet(c.req.raw);
    const text = c.req.header('last-event-id');
    const after = text === undefined || text === '' ? null : cursorOf(text);
    if (after === null && text !== undefined && text !== '') throw invalidParameter('last-event-id', 'invalid');
    const free = take(key.userId);
    return eventStream(c.req.raw, (signal) => held({ owner: key, after, filter }, key.id, free, signal), {
      log,
      stopping,
    });
  });
}
