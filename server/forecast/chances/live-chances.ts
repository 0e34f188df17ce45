/**
 * The running windows of a market, sent to everyone who watches it: one computation a market, at most four times a
 * second and only after a change, and one encoded frame for all viewers.
 */
import { LIVE_CHANCES_EVENT, type LiveChances } from '#domain/chances/chance-messages.ts';
import { isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { encodeEvent } from '../../platform/http/streams/event-stream.ts';
import type { FrameViewer } from '../../platform/http/streams/shared-stream.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { PosedMoment } from './answer-chances.ts';
import { ANY_FORECAST } from './chance-access.ts';
import { type ChanceSource, marketKey } from './chance-forecasts.ts';
import type { Chances } from './chances.ts';

export interface LiveChanceRooms {
  /** Sends the newest frame, then each new one. @returns the function that leaves */
  join(market: ChanceSource, viewer: FrameViewer): () => void;
  /** Frames computed since the start. */
  readonly computations: number;
  close(): void;
}

export interface LiveChanceDeps {
  chances: Pick<Chances, 'momentOf' | 'live'>;
  log: Logger;
  everyMs?: number;
}

const EVERY_MS = 250;
/** A frame that nothing has changed is sent again after this long, so that no proxy considers the stream dead. */
const REPEAT_MS = 10_000;
/** Sending may take this share of the time: with very many viewers frames come less often. */
const MOST_SHARE = 0.2;

interface Room {
  market: ChanceSource;
  viewers: Set<FrameViewer>;
  timer: NodeJS.Timeout;
  lifetime: AbortController;
  isBusy: boolean;
  /** What the newest frame was computed from; null before the first. */
  basis: string | null;
  frame: Uint8Array | null;
  sentAtMs: number;
  notBeforeMs: number;
}

export function openLiveChances({ chances, log, everyMs = EVERY_MS }: LiveChanceDeps): LiveChanceRooms {
  const rooms = new Map<string, Room>();
  const encoder = new TextEncoder();
  let computations = 0;

  async function renew(room: Room): Promise<void> {
    if (room.isBusy || performance.now() < room.notBeforeMs) return;
    room.isBusy = true;
    try {
      const next = await frameOf(room);
      if (room.viewers.size > 0) publish(room, next);
    } catch (error) {
      log.error({ err: error, sym: room.market.symbol.sym }, 'the live chances of a market could not be computed');
    } finally {
      room.isBusy = false;
    }
  }

  /** Null without a change. */
  async function frameOf(room: Room): Promise<Uint8Array | null> {
    const { market, lifetime } = room;
    try {
      const at = await chances.momentOf(market, lifetime.signal, ANY_FORECAST);
      const basis = basisOf(at);
      if (basis === room.basis) return null;
      room.basis = basis;
      computations += 1;
      return encoded(chances.live(at));
    } catch (error) {
      if (lifetime.signal.aborted || !isAppError(error)) throw error;
      const basis = `refused ${error.code}`;
      if (basis === room.basis) return null;
      room.basis = basis;
      const { symbol, model, timeframe } = market;
      const refusal = { code: error.code, message: MESSAGES[error.code] };
      return encoded({ symbol: symbol.sym, model, timeframe, error: refusal });
    }
  }

  function encoded(data: LiveChances): Uint8Array {
    return encoder.encode(encodeEvent({ event: LIVE_CHANCES_EVENT, data }));
  }

  function publish(room: Room, next: Uint8Array | null): void {
    const startedMs = performance.now();
    if (next === null && startedMs - room.sentAtMs < REPEAT_MS) return;
    room.frame = next ?? room.frame;
    if (room.frame === null) return;
    for (const viewer of room.viewers) viewer.send(room.frame);
    room.sentAtMs = performance.now();
    room.notBeforeMs = startedMs + (room.sentAtMs - startedMs) / MOST_SHARE;
  }

  function openRoom(market: ChanceSource): Room {
    const room: Room = {
      market,
      viewers: new Set(),
      lifetime: new AbortController(),
      isBusy: false,
      basis: null,
      frame: null,
      sentAtMs: 0,
      notBeforeMs: 0,
      timer: setInterval(() => void renew(room), everyMs),
    };
    room.timer.unref();
    rooms.set(marketKey(market), room);
    return room;
  }

  function closeRoom(room: Room): void {
    clearInterval(room.timer);
    room.lifetime.abort();
    rooms.delete(marketKey(room.market));
  }

  return {
    get computations() {
      return computations;
    },
    join(market, viewer) {
      const room = rooms.get(marketKey(market)) ?? openRoom(market);
      room.viewers.add(viewer);
      if (room.frame === null) void renew(room);
      else viewer.send(room.frame);
      return () => {
        room.viewers.delete(viewer);
        if (room.viewers.size === 0 && rooms.get(marketKey(market)) === room) closeRoom(room);
      };
    },
    close() {
      for (const room of rooms.values()) closeRoom(room);
    },
  };
}

/** Time alone changes a chance too: by the second. */
function basisOf({ source, moment }: PosedMoment): string {
  const { nowMs, price, isHalted = false, candles } = moment;
  const newest = candles.at(-1)?.time;
  return [source.modelVersion, source.t0, Math.floor(nowMs / 1000), price, isHalted, newest].join(' ');
}
