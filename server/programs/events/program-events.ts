/** One reader's events: those it missed, then each as it happens, until it leaves or its key ends. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { ServerEvent } from '../../platform/http/streams/event-stream.ts';
import { isoOf } from '../readings/forecast-shapes.ts';
import type { KeyOwner } from '../readings/key-owner.ts';
import { cursorText, type EventCursor } from './event-cursor.ts';
import { type EventFeed, isBefore } from './event-feed.ts';
import { boundedCursor, type EventStore } from './event-store.ts';

export interface EventFilter {
  sym?: string | undefined;
  model?: ModelName | undefined;
  tf?: Timeframe | undefined;
}

export interface EventReader {
  owner: KeyOwner;
  /** Null: only what happens from now on. */
  after: EventCursor | null;
  filter: EventFilter;
  /** @throws AppError once the key no longer works */
  requireKey(): void;
}

/** The owner's outcomes are read for each reader, so less often. */
const OWN_EVERY_MS = 10_000;

interface EventParts {
  store: EventStore;
  feed: EventFeed;
  nowMs(): number;
}

export async function* programEvents(
  { store, feed, nowMs }: EventParts,
  reader: EventReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const leave = feed.join();
  try {
    yield* eventsOf({ store, feed, nowMs }, reader, signal);
  } finally {
    leave();
  }
}

async function* eventsOf(
  { store, feed, nowMs }: EventParts,
  { owner, after, filter, requireKey }: EventReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const head = await store.head();
  const { cursor, isGap } = after === null ? { cursor: head, isGap: false } : boundedCursor(after, head);
  const event = (name: string, data: object): ServerEvent => ({ event: name, id: cursorText(cursor), data });
  const isWanted = ({ symbol, model, timeframe }: { symbol: string; model: ModelName; timeframe: Timeframe }) =>
    (filter.sym ?? symbol) === symbol && (filter.model ?? model) === model && (filter.tf ?? timeframe) === timeframe;
  // With an id, so that a reader can resume even before anything happened.
  yield event('ready', { missedUntil: isGap ? isoOf(cursor.scoredUs / 1e6) : null });
  let ownAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let count = 0;
    const floor = feed.floor();
    for (const { seq, data } of await feed.issuedAfter(cursor.seq)) {
      [cursor.seq, count] = [seq, count + 1];
      if (isWanted(data)) yield event('forecast-issued', data);
    }
    for (const { us, seq, data } of await feed.scoredAfter(cursor)) {
      [cursor.scoredUs, cursor.scoredSeq, count] = [us, seq, count + 1];
      if (data !== null && isWanted(data)) yield event('outcome-known', data);
    }
    if (nowMs() - ownAtMs >= OWN_EVERY_MS) {
      ownAtMs = nowMs();
      const found = await store.ownAfter(owner, cursor.ownUs);
      for (const [i, { us, data }] of found.entries()) {
        // Several may have the same time: after a break between them, they come again rather than not at all.
        cursor.ownUs = found[i + 1]?.us === us ? us - 1 : us;
        if (data !== null && isWanted(data)) yield event('outcome-known', data);
      }
    }
    // Nothing was found up to where the memory begins: the next turn need not read the database.
    if (count === 0 && floor !== null) skipTo(cursor, floor);
    requireKey();
    // A full page may have more behind it.
    if (count === 0) await feed.turn(signal);
    requireKey();
  }
}

function skipTo(cursor: EventCursor, floor: EventCursor): void {
  cursor.seq = Math.max(cursor.seq, floor.seq);
  if (isBefore(cursor, floor)) [cursor.scoredUs, cursor.scoredSeq] = [floor.scoredUs, floor.scoredSeq];
}
