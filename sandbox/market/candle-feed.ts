/** The open candle about once a second, the closed one at its end. Polls the clock, because a test may move it. */
import { MINUTE_S } from '#domain/market/candle.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { ListedSymbol } from './market-sources.ts';
import { candleSeenAt, runningMinuteS } from './market-time.ts';

const POLL_MS = 100;
const UPDATE_MS = 1000;
/** Closed candles sent after a jump of the clock; a reader that missed more uses REST, as with a real venue. */
const MAX_TURNS = 30;

export interface SandboxCandleFeed<Reader> {
  join(reader: Reader): void;
  leave(reader: Reader): void;
  /** Sends the open candles immediately, as a service does after a new subscription. */
  greet(reader: Reader): void;
  readonly readers: ReadonlySet<Reader>;
  close(): void;
}

export interface CandleFeedParts<Reader> {
  listing: readonly ListedSymbol[];
  clock: Clock;
  /** Products besides the listing that these readers want; absent: none. */
  watched?: (readers: Iterable<Reader>) => Iterable<ListedSymbol>;
}

export function candleFeed<Reader>(
  { listing, clock, watched }: CandleFeedParts<Reader>,
  send: (reader: Reader, listed: ListedSymbol, seen: SeenCandle) => void,
): SandboxCandleFeed<Reader> {
  const readers = new Set<Reader>();
  let minuteS = runningMinuteS(clock.nowMs());
  let updatedAtMs = 0;

  function listedFor(targets: readonly Reader[]): ListedSymbol[] {
    return targets.length === 0 ? [] : [...listing, ...(watched?.(targets) ?? [])];
  }

  function sendOpen(to: Iterable<Reader>): void {
    const nowMs = clock.nowMs();
    const openS = runningMinuteS(nowMs);
    const targets = [...to];
    for (const listed of listedFor(targets)) {
      const candle = candleSeenAt(listed, openS, nowMs);
      if (candle !== null) for (const reader of targets) send(reader, listed, { candle, isClosed: false });
    }
  }

  function sendTurns(fromS: number, toS: number): void {
    for (let timeS = Math.max(fromS, toS - MAX_TURNS * MINUTE_S); timeS < toS; timeS += MINUTE_S) {
      for (const listed of listedFor([...readers])) {
        const candle = listed.source.candleAt(timeS);
        if (candle !== null) for (const reader of readers) send(reader, listed, { candle, isClosed: true });
      }
    }
  }

  const poll = setInterval(() => {
    const runningS = runningMinuteS(clock.nowMs());
    const hasTurned = runningS !== minuteS;
    if (runningS > minuteS) sendTurns(minuteS, runningS);
    minuteS = runningS;
    if (!hasTurned && performance.now() - updatedAtMs < UPDATE_MS) return;
    updatedAtMs = performance.now();
    sendOpen(readers);
  }, POLL_MS).unref();

  return {
    readers,
    join: (reader) => void readers.add(reader),
    leave: (reader) => void readers.delete(reader),
    greet: (reader) => sendOpen([reader]),
    close: () => clearInterval(poll),
  };
}
