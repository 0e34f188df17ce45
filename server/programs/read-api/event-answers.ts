/** Server-sent events of the read API: resumed after the last one, ended with the key. */
import type { Context } from 'hono';
import type { AppError } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import { invalidParameter, requireGet } from '../../platform/http/calls/http-errors.ts';
import { eventStream, type ServerEvent } from '../../platform/http/streams/event-stream.ts';
import { cursorOf } from '../events/event-cursor.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { EventStore } from '../events/event-store.ts';
import { type EventReader, programEvents } from '../events/program-events.ts';
import { streamPlaces } from '../events/stream-places.ts';
import type { ApiMount } from './api-mount.ts';
import { API_ROUTES } from './api-routes.ts';

/** Watches keys while they are in use. */
export interface KeysInUse {
  /** @returns whether the key still works, and a function that ends the watch */
  watch(keyId: string): { endedBy(): AppError | null; stop(): void };
}

export interface EventAnswerDeps extends Pick<Core, 'clock' | 'log'> {
  events: EventStore;
  feed: EventFeed;
  keys: KeysInUse;
  hasPlan(userId: string): Promise<boolean>;
  /** Null for this machine itself. */
  addressOf(c: Context): string | null;
  /** Aborts when the server stops: open streams end, and their readers resume on another process. */
  stopping: AbortSignal;
}

export function mountEvents({ on }: ApiMount, deps: EventAnswerDeps): void {
  const { clock, log, events: store, feed, keys, hasPlan, addressOf, stopping } = deps;
  const places = streamPlaces();

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
    const free = await places.take({
      userId: key.userId,
      address: addressOf(c),
      hasPlan: () => hasPlan(key.userId),
    });
    return eventStream(c.req.raw, (signal) => held({ owner: key, after, filter }, key.id, free, signal), {
      log,
      stopping,
    });
  });
}
